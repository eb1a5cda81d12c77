//! French words by their English equivalent.

/// One English word per line, then the French words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: le la les l
a: un une
i: je j me m moi
we: nous on
you: tu te t vous toi
he: il lui
she: elle
they: ils elles leur
it: ce c cela ca y
my: mon ma mes
our: notre nos
your: ton ta tes votre vos
his: son sa ses
is: est
are: sont sommes
was: etait fut
were: etaient furent
be: etre sera seront
been: ete
has: a ai
have: ont avons avez
had: avait avaient
can: peut peuvent pouvons
could: pouvait pourrait
must: doit doivent devons faut
should: devrait devraient
would: serait aurait
not: pas
ne: ne n
never: jamais
nobody: personne
nothing: rien
no: aucun aucune
without: sans
all: tous toutes tout toute
every: chaque
always: toujours
most: plupart
usually: habituellement generalement
some: certains certaines quelques
several: plusieurs
many: beaucoup nombreux
few: peu
rarely: rarement
often: souvent
sometimes: parfois
half: moitie demi
only: seulement uniquement seul seule
in: dans en
on: sur
at: at au aux chez
to: vers jusqu
of: de d du des
by: par
with: avec
for: pour
about: environ
since: depuis
until: jusque
before: avant
after: apres
during: pendant durant
under: sous
against: contre
between: entre
and: et ainsi_que
or: ou
but: mais
if: si s
when: quand lorsque lorsqu
because: parce car
that: que qu
who: qui
more: plus_de
also: aussi egalement
now: maintenant desormais dorenavant
currently: actuellement
today: aujourd_hui aujourdhui
yesterday: hier
tomorrow: demain
formerly: autrefois auparavant jadis
again: encore nouveau
already: deja
finally: enfin finalement
recently: recemment
instead: plutot
instead of: au_lieu_de au_lieu_d a_la_place_de at_la_place_de
as of: a_partir_de a_partir_du a_compter_de a_compter_du at_partir_de at_partir_du at_compter_de at_compter_du des_le
correction: correction rectification
actually: en_fait
wrong: trompe tort
new: nouveau nouvelle nouveaux nouvelles
old: ancien ancienne vieux vieille
nolonger: ne_plus
monday: lundi lundis
tuesday: mardi mardis
wednesday: mercredi mercredis
thursday: jeudi jeudis
friday: vendredi vendredis
saturday: samedi samedis
sunday: dimanche dimanches
january: janvier
february: fevrier
march: mars
april: avril
may: mai
june: juin
july: juillet
august: aout
september: septembre
october: octobre
november: novembre
december: decembre
morning: matin
evening: soir
night: nuit
week: semaine semaines
painted: peint peinte
founded: fonde fondee
built: construit construite
written: ecrit ecrite
designed: concu concue
invented: invente inventee
composed: compose composee
buried: enterre enterree
now happens: a_desormais_lieu a_maintenant_lieu
this: ce cet cette
month: mois
year: an ans annee annees
day: jour jours
hour: heure heures
minute: minute minutes
clock: h
spring: printemps
summer: ete_dernier
autumn: automne
winter: hiver
two: deux
three: trois
four: quatre
five: cinq
six: six
seven: sept
eight: huit
nine: neuf
ten: dix
eleven: onze
twelve: douze
twenty: vingt
thirty: trente
forty: quarante
fifty: cinquante
hundred: cent
thousand: mille
first: premier premiere
second: deuxieme seconde 2e 2eme
third: troisieme 3e 3eme
per: par
percent: pourcent
euros: euro euros
metres: metre metres
kilograms: kilo kilos
litres: litre litres
moved: demenage installe installee deplace deplacee emmenage demenagee avance_au
postponed: reporte reportee repousse repoussee decale decalee ajourne ajournee differe differee
switched: passe passee
migrated: migre
replaced: remplace remplacee
changed: change changee
renamed: rebaptise renomme
raised: augmente augmentee releve relevee hausse
reduced: reduit baisse reduite abaisse abaissee diminue diminuee baissee
left: quitte demissionne
stopped: arrete
took over: repris reprend
became: devenu devenue
closed: ferme fermee fermes clos close cloture cloturee
open: ouvert ouverte
opens: ouvre
closes: ferme_at
starts: commence debute
ends: finit termine
cancelled: annule annulee
finished: fini finie terminee
repaired: repare reparee
broken: casse cassee panne
resolved: resolu resolue
approved: approuve approuvee
rejected: refuse refusee
found: trouve
lives: habite vit
live: habitent vivent habitons
works: travaille
work: travaillent travaillons
costs: coute
uses: utilise
use: utilisons utilisent
called: appelle
meets: reunit rencontre
happens: a_lieu ont_lieu lieu
takes: prend
take: prennent prenons
drinks: boit
eats: mange
likes: aime
hates: deteste
prefers: prefere
needs: besoin
smokes: fume
drives: conduit
plays: joue
speaks: parle
pays: paie paye
leads: dirige
teaches: enseigne
studies: etudie
lasts: dure
weighs: pese
searches: cherche
said: dit disait
thinks: pense trouve_que
according to: selon d_apres
planned: prevu prevue
wants: veut voudrait
allowed: autorise permis autorisee
forbidden: interdit interdite
married: marie mariee
divorced: divorce divorcee
pregnant: enceinte
hospital: hopital
sick: malade
healthy: gueri guerie
big: grand grande
small: petit petite
long: long longue
high: haut haute
red: rouge
green: vert verte
blue: bleu bleue
white: blanc blanche
black: noir noire
mr: monsieur m.
mrs: madame mme
mother: mere
father: pere
brother: frere
sister: soeur
son: fils
daughter: fille
wife: femme
husband: mari
colleague: collegue
gave birth: accouche
extended: prolonge prolongee
released: sortie_de_l_hopital libere liberee
sold: vendu vendue
elected: elu elue
appointed: nomme nommee
succeeds: succede
removed: supprime supprimee retire retiree
reopened: rouvert rouverte
engaged: fiance fiancee
hired: embauche embauchee
gave up: abandonne abandonnee
abandoned: resilie resiliee delaisse delaissee revendu revendue desinstalle
";
