//! Spanish words by their English equivalent.

/// One English word per line, then the Spanish words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: el la los las lo
a: un una unos unas
i: yo me mi_mismo
we: nosotros nosotras nos
you: tu te usted ustedes
he: el_mismo le
she: ella
they: ellos ellas les
my: mi mis
our: nuestro nuestra nuestros nuestras
his: su sus
is: es esta
are: son estan somos estamos
was: era estaba fue
were: eran estaban fueron
be: ser estar sera
been: sido estado
has: ha he tiene
have: han tienen
we have: hemos tenemos
had: habia habian tenia
there is: hay
can: puede pueden podemos
could: podia podria
must: debe deben debemos
should: deberia deberian
would: seria
not: no
never: nunca jamas
nobody: nadie
nothing: nada
none: ningun ninguna ninguno
without: sin
nolonger: ya_no
all: todos todas todo toda
every: cada
always: siempre
most: mayoria
usually: normalmente habitualmente
some: algunos algunas
several: varios varias
many: muchos muchas
few: pocos pocas
rarely: raramente
often: menudo frecuentemente
sometimes: veces
half: mitad medio media
only: solo solamente unicamente unico unica
in: en
at: a al
to: hacia hasta
of: de del
by: por
with: con
for: para
on: sobre
about: unos_cuantos aproximadamente
since: desde
before: antes
after: despues tras
during: durante
under: bajo
against: contra
between: entre
and: y e
or: o u
but: pero sino
if: si
when: cuando
because: porque
that: que
who: quien
also: tambien ademas
now: ahora actualmente_ya
currently: actualmente
today: hoy
yesterday: ayer
tomorrow: manana
formerly: antiguamente anteriormente
again: nuevo_otra otra_vez
already: ya
finally: finalmente fin
recently: recientemente
instead: cambio
instead of: en_lugar_de en_vez_de
as of: a_partir_de a_partir_del
correction: correccion
actually: realidad
wrong: equivocado equivocada equivoque
new: nuevo nueva nuevos nuevas
old: antiguo antigua viejo vieja
monday: lunes
tuesday: martes
wednesday: miercoles
thursday: jueves
friday: viernes
saturday: sabado sabados
sunday: domingo domingos
january: enero
february: febrero
march: marzo
april: abril
may: mayo
june: junio
july: julio
august: agosto
september: septiembre
october: octubre
november: noviembre
december: diciembre
evening: tarde
night: noche noches
week: semana semanas
painted: pintado pintada pinto
founded: fundado fundada fundo
built: construido construida
written: escrito escrita
designed: disenado disenada
born: nacio nacido nacida
invented: inventado inventada
composed: compuesto compuesta
buried: enterrado enterrada
this: este esta
month: mes meses
year: ano anos
day: dia dias
hour: hora horas
minute: minuto minutos
spring: primavera
summer: verano
autumn: otono
winter: invierno
two: dos
three: tres
four: cuatro
five: cinco
six: seis
seven: siete
eight: ocho
nine: nueve
ten: diez
eleven: once
twelve: doce
twenty: veinte
thirty: treinta
forty: cuarenta
fifty: cincuenta
hundred: cien ciento
thousand: mil
first: primer primero primera
second: segundo segunda
third: tercer tercero tercera
euros: euro euros
metres: metro metros
kilograms: kilo kilos
litres: litro litros
moved: mudado mudo mudo_a trasladado trasladada traslado mudada adelantado adelantada
postponed: aplazado aplazada pospuesto pospuesta retrasado retrasada
switched from: paso_de
switched to: paso_a
switched: cambiado pasado cambio_de
migrated: migrado
replaced: reemplazado sustituido sustituida sustituyo reemplazada reemplazo sustituye reemplaza
changed: cambiado_la modificado
renamed: renombrado
raised: aumentado subido subio aumentada subida
reduced: reducido bajado bajo_a reducida bajada rebajado rebajada bajo
left: dejado dejo
retired: jubilo jubilado
stopped: parado
took over: asumido asumio
became: convertido
closed: cerrado cerrada
open: abierto abierta
opens: abre
closes: cierra
starts: empieza comienza
ends: termina acaba
cancelled: cancelado cancelada
finished: terminado terminada
repaired: reparado reparada arreglado arreglada
broken: roto rota averiado averiada
resolved: resuelto resuelta
approved: aprobado aprobada
rejected: rechazado rechazada
lives: vive
live: viven
we live: vivimos
i live: vivo
works: trabaja
work: trabajan
we work: trabajamos
i work: trabajo
costs: cuesta
uses: usa utiliza
use: usan
we use: usamos utilizamos
i use: uso
called: llama
meets: reune
happens: celebra
takes: toma
drinks: bebe
eats: come
likes: gusta gustan encanta
hates: odia
prefers: prefiere
needs: necesita
smokes: fuma
drives: conduce
plays: toca juega
speaks: habla
pays: paga
leads: dirige
studies: estudia
lasts: dura duro
weighs: pesa
searches: busca
said: dijo dicho
says: dice
thinks: cree piensa opina
according to: segun
planned: previsto planeado prevista
wants: quiere
allowed: permitido permitida
forbidden: prohibido prohibida
married: casado casada
divorced: divorciado divorciada
pregnant: embarazada
hospital: hospital
sick: enfermo enferma
big: grande
small: pequeno pequena
long: largo larga
high: alto alta
red: rojo roja
green: verde
blue: azul
white: blanco blanca
black: negro negra
mr: senor sr
mrs: senora sra
mother: madre
father: padre
brother: hermano
sister: hermana
son: hijo
daughter: hija
wife: esposa
husband: esposo marido
colleague: companero companera colega
gave birth: dio_a_luz
extended: ampliado ampliada prorrogado prorrogada
released: alta
sold: vendido vendida
elected: elegido elegida
appointed: nombrado nombrada
succeeds: sucede
removed: eliminado eliminada retirado retirada
reopened: reabierto reabierta
hired: contratado contratada
engaged: prometido prometida
found: encontrado encontrada
abandoned: abandonado abandono vendio descartado cancelo dimitio dimitido desinstalado cerro
";
