//! Italian words by their English equivalent.

/// One English word per line, then the Italian words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: il lo la i gli le l
a: un uno una
i: io mi
we: noi ci
you: tu ti voi vi
he: lui
she: lei
they: loro
my: mio mia miei mie
our: nostro nostra nostri nostre
his: suo sua suoi sue
is: ee sta
are: sono siamo
was: era fu
were: erano furono
be: essere sara
been: stato stata stati state
has: ha ho
have: hanno
we have: abbiamo
had: aveva avevano
can: puo possono possiamo
could: poteva potrebbe
must: deve devono dobbiamo
should: dovrebbe
would: sarebbe
not: non
never: mai
nobody: nessuno
nothing: niente nulla
without: senza
nolonger: non_piu
all: tutti tutte tutto tutta
every: ogni
always: sempre
most: maggior
usually: solitamente
some: alcuni alcune qualche
several: parecchi diversi diverse
many: molti molte
few: pochi poche
rarely: raramente
often: spesso
sometimes: volte
half: meta mezzo mezza
only: solo soltanto solamente
in: in nel nella nei nelle nello nell
on: su sul sulla sui sulle
at: a ad al alla alle ai allo all
to: verso fino
of: di del della dei delle dello dell degli d
from: da dal dalla dai dalle dallo dall
with: con
for: per
about: circa
since: dal_mese
before: prima
after: dopo
during: durante
under: sotto
against: contro
between: tra fra
and: e ed
or: o oppure
but: ma
if: se
when: quando
because: perche
that: che
who: chi
also: anche pure inoltre
now: adesso ora ormai
currently: attualmente
today: oggi
yesterday: ieri
tomorrow: domani
formerly: precedentemente
again: nuovo_di di_nuovo ancora
already: gia
finally: finalmente
recently: recentemente
instead: invece
instead of: invece_di invece_del al_posto_di al_posto_del
as of: a_partire_da a_partire_dal
correction: correzione rettifica
wrong: sbagliato sbagliata
new: nuovo nuova nuovi nuove
old: vecchio vecchia
monday: lunedi
tuesday: martedi
wednesday: mercoledi
thursday: giovedi
friday: venerdi
saturday: sabato
sunday: domenica
january: gennaio
february: febbraio
march: marzo
april: aprile
may: maggio
june: giugno
july: luglio
august: agosto
september: settembre
october: ottobre
november: novembre
december: dicembre
morning: mattina mattino
evening: sera
night: notte
week: settimana settimane
painted: dipinto dipinta
founded: fondato fondata
built: costruito costruita
written: scritto scritta
designed: progettato progettata
born: nato nata
invented: inventato inventata
composed: composto composta
buried: sepolto sepolta
this: questo questa
month: mese mesi
year: anno anni
day: giorno giorni
hour: ore
minute: minuto minuti
spring: primavera
summer: estate
autumn: autunno
winter: inverno
two: due
three: tre
four: quattro
five: cinque
six: sei
seven: sette
eight: otto
nine: nove
ten: dieci
eleven: undici
twelve: dodici
twenty: venti
thirty: trenta
forty: quaranta
fifty: cinquanta
hundred: cento
thousand: mille
first: primo prima_volta
second: secondo seconda
third: terzo terza
euros: euro
metres: metro metri
kilograms: chilo chili
litres: litro litri
moved: trasferito trasferita trasferiti spostato spostata
postponed: rinviato rinviata posticipato posticipata rimandato rimandata slittato slittata spostata_al
switched: passato passata cambiato passati
migrated: migrato
replaced: sostituito sostituita rimpiazzato
renamed: rinominato
raised: aumentato aumentata alzato alzata salito salita
reduced: ridotto ridotta abbassato abbassata diminuito diminuita sceso scesa
left: lasciato lasciata
stopped: smesso
took over: subentrato subentrata rilevato
became: diventato diventata
closed: chiuso chiusa
open: aperto aperta
opens: apre
closes: chiude
starts: inizia comincia
ends: finisce termina
cancelled: annullato annullata cancellato
finished: finito finita terminato
repaired: riparato riparata aggiustato aggiustata
broken: rotto rotta guasto guasta
resolved: risolto risolta
approved: approvato approvata
rejected: respinto respinta
lives: abita vive
live: abitano vivono
we live: abitiamo viviamo
works: lavora
work: lavorano
we work: lavoriamo
costs: costa
uses: usa utilizza
use: usano
we use: usiamo utilizziamo
called: chiama
meets: riunisce incontra
happens: tiene svolge
takes: prende
drinks: beve
eats: mangia
likes: piace
hates: odia
prefers: preferisce
needs: bisogno
smokes: fuma
drives: guida
plays: suona gioca
speaks: parla
pays: paga
leads: dirige
teaches: insegna
studies: studia
lasts: dura
weighs: pesa
searches: cerca
said: detto
says: dice
thinks: pensa crede
according to: secondo_me
planned: previsto prevista
wants: vuole
allowed: permesso consentito
forbidden: vietato vietata
married: sposato sposata
divorced: divorziato divorziata
pregnant: incinta
hospital: ospedale
sick: malato malata
big: grande
small: piccolo piccola
long: lungo lunga
high: alto alta
red: rosso rossa
green: verde
blue: blu
white: bianco bianca
black: nero nera
mr: signor sig
mrs: signora
mother: madre
father: padre
brother: fratello
sister: sorella
son: figlio
daughter: figlia
wife: moglie
husband: marito
colleague: collega
gave birth: partorito
extended: prorogato prorogata esteso estesa
released: dimesso dimessa
sold: venduto venduta
elected: eletto eletta
appointed: nominato nominata
succeeds: succede subentra
removed: rimosso rimossa tolto tolta eliminato eliminata
reopened: riaperto riaperta
hired: assunto assunta
engaged: fidanzato fidanzata fidanzati
found: trovato trovata ritrovato ritrovata
changed: cambiata modificato modificata
abandoned: disdetto disdetta dismesso dismessa abbandonato abbandonata disinstallato
";
