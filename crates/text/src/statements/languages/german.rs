//! German words by their English equivalent.

/// One English word per line, then the German words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: der die das den dem des
a: ein eine einen einem einer eines
i: ich mich mir
we: wir uns
you: du dich dir ihr
he: er ihn ihm
it: es sie
my: mein meine meinen meinem meiner meines
our: unser unsere unseren unserem unserer unseres
his: sein seine seinen seinem seiner seines
their: ihre ihren ihrem ihrer ihres
is: ist
are: sind
was: war wurde ward
were: waren wurden
be: sein werden wird
been: worden gewesen
has: hat habe
have: haben
had: hatte hatten
can: kann konnen
could: konnte konnten
must: muss mussen
should: soll sollen sollte sollten
may: darf durfen
will: werde
would: wurde_gern wurden_gern ware hatte_gern
not: nicht
no: kein keine keinen keinem keiner keines
never: nie niemals
nobody: niemand niemanden
nothing: nichts
without: ohne
nolonger: nicht_mehr nicht_langer
all: alle allen aller alles samtliche
every: jede jeden jedem jeder jedes
always: immer stets
most: meisten meiste
mostly: meistens meist
usually: normalerweise gewohnlich ublicherweise
some: einige manche etliche
several: mehrere
many: viele vielen
few: wenige
rarely: selten
often: oft haufig
sometimes: manchmal gelegentlich
half: halbe halben halber halfte
only: nur lediglich ausschliesslich
both: beide beiden
in: in im ins
on: auf am an
at: um bei beim zu zum zur
to: nach
from: von vom aus
by: durch
with: mit
for: fur
about: uber ungefahr etwa circa
since: seit
until: bis
before: vor
after: danach nachdem
during: wahrend
under: unter
against: gegen
between: zwischen
inside: innerhalb
outside: ausserhalb
and: und sowie
or: oder
but: aber sondern jedoch
if: wenn falls sofern
when: als sobald
because: weil da denn wegen
that: dass
who: wer
more: mehr
than: als_die
also: auch zudem ausserdem zusatzlich ebenfalls
now: jetzt nun inzwischen mittlerweile neuerdings nunmehr
currently: derzeit momentan aktuell zurzeit gegenwartig
today: heute
yesterday: gestern
tomorrow: morgen
formerly: fruher ehemals einst
again: wieder erneut
still: noch
already: schon bereits
finally: endlich schliesslich
recently: kurzlich neulich
instead: stattdessen
instead of: statt anstatt anstelle
as of: ab
correction: korrektur berichtigung
actually: tatsachlich eigentlich doch
wrong: falsch geirrt
new: neu neue neuer neuen neues neuem
old: alt alte alter alten altes
former: ehemalige ehemaliger ehemaligen
monday: montag montags
tuesday: dienstag dienstags
wednesday: mittwoch mittwochs
thursday: donnerstag donnerstags
friday: freitag freitags
saturday: samstag samstags sonnabend
sunday: sonntag sonntags
january: januar janner
february: februar
march: marz
may: mai
june: juni
july: juli
october: oktober
december: dezember
morning: vormittag fruh morgens
evening: abend abends
night: nacht nachts
week: woche wochen
painted: gemalt bemalt
founded: gegrundet
built: gebaut erbaut
written: geschrieben
designed: entworfen
born: geboren
invented: erfunden
composed: komponiert
buried: begraben
this: dieser diese dieses diesem diesen
month: monat monate monaten
year: jahr jahre jahren
day: tag tage tagen
hour: stunde stunden
minute: minute minuten
second: sekunde sekunden
clock: uhr
spring: fruhling fruhjahr
summer: sommer
autumn: herbst
winter: winter
one: eins
two: zwei
three: drei
four: vier
five: funf
six: sechs
seven: sieben
eight: acht
nine: neun
ten: zehn
eleven: elf
twelve: zwolf
twenty: zwanzig
thirty: dreissig
forty: vierzig
fifty: funfzig
hundred: hundert
thousand: tausend
first: erste ersten erster erstes
second: zweite zweiten zweiter
third: dritte dritten dritter
fourth: vierte vierten
fifth: funfte funften
per: pro je
percent: prozent
euros: euro
metres: meter
kilograms: kilo kilogramm
litres: liter
maximum: max maximal hochstens
minimum: mindestens wenigstens
moved: gezogen umgezogen verlegt verschoben ubersiedelt umgesiedelt vorverlegt
moves: zieht
postponed: vertagt aufgeschoben verschiebt
switched: gewechselt umgestiegen umgestellt wechselte
migrated: migriert
replaced: ersetzt abgelost ersetzte
changed: geandert anderte
renamed: umbenannt
raised: erhoht angehoben gestiegen aufgestockt erhohte
reduced: gesenkt reduziert verringert herabgesetzt gekurzt
left: verlassen verliess gekundigt
stopped: aufgehort eingestellt
quit: aufgegeben
handed over: abgegeben ubergeben
took over: ubernommen ubernahm
became: geworden
closed: geschlossen gesperrt zu
open: offen geoffnet
opens: offnet
closes: schliesst
started: begonnen
starts: beginnt startet
ends: endet
ended: beendet
cancelled: abgesagt storniert
finished: fertig abgeschlossen
repaired: repariert behoben
broken: kaputt defekt
resolved: gelost erledigt
approved: genehmigt
rejected: abgelehnt
passed: bestanden
failed: durchgefallen gescheitert
lives: wohnt lebt
live: wohnen leben
works: arbeitet
work: arbeiten
runs: lauft
run: laufen
costs: kostet
cost: kosten
uses: nutzt benutzt verwendet
use: nutzen benutzen verwenden
called: heisst
meets: trifft
meet: treffen
happens: stattfindet findet_statt
takes: nimmt
take: nehmen
drinks: trinkt
eats: isst
eat: essen
likes: mag
loves: liebt
hates: hasst
prefers: bevorzugt
needs: braucht benotigt
need: brauchen benotigen
smokes: raucht
drives: fahrt
plays: spielt
speaks: spricht
pays: zahlt bezahlt
pay: zahlen bezahlen
leads: leitet fuhrt
teaches: unterrichtet
studies: studiert
lies: liegt
stands: steht
weighs: wiegt
lasts: dauert
reports: berichtet
belongs: gehort
said: sagte gesagt
says: sagt
thinks: findet glaubt meint denkt
according to: laut zufolge
planned: geplant
wants: will mochte mochten wollen
allowed: erlaubt gestattet
forbidden: verboten untersagt
married: verheiratet geheiratet
divorced: geschieden
single: ledig
pregnant: schwanger
hospital: krankenhaus
sick: krank
healthy: gesund
big: gross grosse grosser grosses grossen
small: klein kleine kleiner kleines kleinen
long: lang lange
high: hoch hohe
red: rot rote roter
green: grun grune
blue: blau blaue
white: weiss weisse
black: schwarz schwarze
mr: herr herrn
mrs: frau
mother: mutter
father: vater
brother: bruder
sister: schwester
son: sohn
daughter: tochter
wife: ehefrau
husband: mann ehemann
colleague: kollege kollegin
gave birth: entbunden
extended: verlangert
released: entlassen
found: gefunden wiedergefunden
sold: verkauft
elected: gewahlt
appointed: ernannt berufen
succeeds: folgt_auf nachfolger_von
removed: entfernt gestrichen
retired: abgeschaltet stillgelegt
reopened: wiedereroffnet
hired: eingestellt_worden angestellt
engaged: verlobt
discontinued: abgeschafft
abandoned: abbestellt ausgemustert deinstalliert abgegeben
";
