//! Dutch words by their English equivalent.

/// One English word per line, then the Dutch words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: de het
a: een
i: ik mij me
we: wij we ons
you: jij je u jullie jou
he: hij hem
she: zij ze
it: dit
my: mijn
our: onze
his: zijn_eigen
her: haar
their: hun
is: is
are: zijn
was: was werd
were: waren werden
be: worden wordt
been: geweest
has: heeft heb
have: hebben
had: had hadden
can: kan kunnen
could: kon konden
must: moet moeten
should: zou_moeten
may: mag mogen
will: zal zullen
would: zou zouden
not: niet
no: geen
never: nooit
nobody: niemand
nothing: niets
without: zonder
nolonger: niet_meer niet_langer
all: alle allemaal alles
every: elke elk iedere ieder
always: altijd
most: meeste
mostly: meestal
usually: gewoonlijk
some: sommige enkele
several: verschillende meerdere
many: veel
few: weinig
rarely: zelden
often: vaak
sometimes: soms
half: helft halve
only: alleen slechts enkel
both: beide
in: in
on: op aan
at: om bij te
to: naar tot
from: van vanaf uit
by: door
with: met
for: voor
about: ongeveer over
since: sinds
before: voordat
after: na nadat
during: tijdens
under: onder
against: tegen
between: tussen
and: en
or: of
but: maar
if: als indien
when: wanneer toen
because: omdat want wegens
that: dat
who: wie
more: meer
than: dan
also: ook tevens bovendien
now: nu inmiddels voortaan
currently: momenteel tegenwoordig
today: vandaag
yesterday: gisteren
tomorrow: morgen
formerly: vroeger voorheen
again: weer opnieuw
still: nog
already: al reeds
finally: eindelijk
recently: onlangs
instead: plaats
instead of: in_plaats_van
as of: met_ingang_van per
correction: correctie
actually: eigenlijk
wrong: fout vergist
new: nieuw nieuwe
old: oud oude
former: voormalige
monday: maandag
tuesday: dinsdag
wednesday: woensdag
thursday: donderdag
friday: vrijdag
saturday: zaterdag
sunday: zondag
january: januari
february: februari
march: maart
may: mei
june: juni
july: juli
august: augustus
october: oktober
morning: ochtend
evening: avond
night: nacht
week: week weken
painted: geschilderd
founded: opgericht gesticht
built: gebouwd
written: geschreven
designed: ontworpen
born: geboren
invented: uitgevonden
composed: gecomponeerd
buried: begraven
this: deze dit
month: maand maanden
year: jaar jaren
day: dag dagen
hour: uren
clock: uur
minute: minuut minuten
spring: lente voorjaar
summer: zomer
autumn: herfst najaar
winter: winter
one: een
two: twee
three: drie
four: vier
five: vijf
six: zes
seven: zeven
eight: acht
nine: negen
ten: tien
eleven: elf
twelve: twaalf
twenty: twintig
thirty: dertig
forty: veertig
fifty: vijftig
hundred: honderd
thousand: duizend
first: eerste
second: tweede
third: derde
percent: procent
euros: euro
metres: meter
litres: liter
moved: verhuisd verplaatst verhuisde vervroegd
moves: verhuist
postponed: uitgesteld verschoven verzet verdaagd
switched: overgestapt gewisseld overgeschakeld
migrated: gemigreerd
replaced: vervangen verving
changed: gewijzigd veranderd
renamed: hernoemd
raised: verhoogd gestegen opgehoogd
reduced: verlaagd gedaald gezakt teruggebracht
left: verlaten vertrokken
stopped: gestopt
took over: overgenomen
became: geworden
closed: gesloten dicht
open: open geopend
opens: opent
closes: sluit
starts: begint start
ends: eindigt
cancelled: geannuleerd afgelast
finished: klaar afgerond
repaired: gerepareerd hersteld
broken: kapot stuk defect
resolved: opgelost
approved: goedgekeurd
rejected: afgewezen
passed: geslaagd
failed: gezakt
lives: woont leeft
live: wonen leven
works: werkt
work: werken
runs: draait loopt
costs: kost
cost: kosten
uses: gebruikt
use: gebruiken
called: heet
takes: neemt
take: nemen
drinks: drinkt
eats: eet
eat: eten
loves: houdt
hates: haat
needs: nodig
smokes: rookt
drives: rijdt
plays: speelt
speaks: spreekt
pays: betaalt
pay: betalen
leads: leidt
studies: studeert
lasts: duurt
weighs: weegt
said: zei gezegd
says: zegt
thinks: vindt denkt gelooft
according to: volgens
planned: gepland
wants: wil willen
allowed: toegestaan
forbidden: verboden
married: getrouwd
divorced: gescheiden
pregnant: zwanger
hospital: ziekenhuis
sick: ziek
big: groot grote
small: klein kleine
long: lang lange
high: hoog hoge
red: rood rode
green: groen groene
blue: blauw blauwe
white: wit witte
black: zwart zwarte
mr: meneer
mrs: mevrouw
mother: moeder
father: vader
brother: broer
sister: zus
son: zoon
daughter: dochter
wife: echtgenote
husband: echtgenoot
colleague: collega
gave birth: bevallen
extended: verlengd
released: ontslagen_uit
sold: verkocht
elected: gekozen verkozen
appointed: benoemd aangesteld
succeeds: volgt_op
removed: verwijderd geschrapt
reopened: heropend
hired: aangenomen
engaged: verloofd
found: gevonden teruggevonden
abandoned: opgezegd afgeschaft
";
