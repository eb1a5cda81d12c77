//! Portuguese words by their English equivalent.

/// One English word per line, then the Portuguese words that are read as it. `_` joins a phrase.
pub(super) const WORDS: &str = "
the: o os as
a: um uma uns umas
i: eu me
we: nos a_gente
you: tu te voce voces
he: ele
she: ela
they: eles elas
my: meu minha meus minhas
our: nosso nossa nossos nossas
his: seu sua seus suas dele
is: ee esta
are: sao estao somos estamos
was: era estava foi
were: eram estavam foram
be: ser estar sera
been: sido estado
has: tem
have: ha
we have: temos
i have: tenho
had: tinha tinham
can: pode podem podemos
could: podia poderia
must: deve devem devemos
should: deveria
would: seria
not: nao
never: nunca jamais
nobody: ninguem
nothing: nada
none: nenhum nenhuma
without: sem
nolonger: ja_nao
all: todos todas todo toda tudo
every: cada
always: sempre
most: maioria
usually: normalmente geralmente
some: alguns algumas
several: varios varias
many: muitos muitas
few: poucos poucas
rarely: raramente
often: frequentemente
sometimes: vezes
half: metade meio meia
only: somente apenas
in: em no na nos_dias num numa
at: a ao aos
to: ate
of: de do da dos das
by: por pelo pela
with: com
for: para pra
on: sobre
about: cerca aproximadamente
since: desde
before: antes
after: depois apos
during: durante
under: sob
against: contra
between: entre
and: e
or: ou
but: mas
if: se
when: quando
because: porque
that: que
who: quem
also: tambem
now: agora
currently: atualmente
today: hoje
yesterday: ontem
tomorrow: amanha
formerly: antigamente anteriormente
again: novamente de_novo
already: ja
finally: finalmente
recently: recentemente
instead: vez
instead of: em_vez_de ao_inves_de
as of: a_partir_de a_partir_do a_partir_da
correction: correcao
actually: na_verdade
wrong: errado enganado enganada
new: novo nova novos novas
old: antigo antiga velho velha
monday: segunda-feira segunda_feira
tuesday: terca-feira terca_feira
wednesday: quarta-feira quarta_feira
thursday: quinta-feira quinta_feira
friday: sexta-feira sexta_feira
saturday: sabado
sunday: domingo
january: janeiro
february: fevereiro
march: marco
april: abril
may: maio
june: junho
july: julho
august: agosto
september: setembro
october: outubro
november: novembro
december: dezembro
morning: manha
evening: tarde
night: noite
week: semana semanas
painted: pintado pintada pintou
founded: fundado fundada fundou
built: construido construida
written: escrito escrita
designed: projetado projetada desenhado desenhada
born: nasceu nascido nascida
invented: inventado inventada
composed: composto composta
buried: enterrado enterrada
this: este esta neste nesta deste desta
month: mes meses
year: ano anos
day: dia dias
hour: hora horas
minute: minuto minutos
spring: primavera
summer: verao
autumn: outono
winter: inverno
two: dois duas
three: tres
four: quatro
five: cinco
six: seis
seven: sete
eight: oito
nine: nove
ten: dez
eleven: onze
twelve: doze
twenty: vinte
thirty: trinta
forty: quarenta
fifty: cinquenta
hundred: cem cento
thousand: mil
first: primeiro primeira
second: segundo
third: terceiro terceira
euros: euro euros
metres: metro metros
kilograms: quilo quilos
litres: litro litros
moved: mudou mudou_se mudado transferido transferida mudaram antecipado antecipada
postponed: adiado adiada remarcado remarcada
switched: trocou passou passamos trocamos trocaram
we switched: trocamos mudamos
migrated: migrou
we migrated: migramos
replaced: substituiu substituido substituida substitui substituiram
renamed: renomeado
raised: aumentou aumentado subiu aumentada aumentaram
reduced: reduziu reduzido baixou reduzida baixado
left: saiu deixou
retired: aposentou reformou
stopped: parou
took over: assumiu
became: tornou
closed: fechado fechada
open: aberto aberta
opens: abre
closes: fecha
starts: comeca
ends: termina acaba
cancelled: cancelado cancelada
finished: terminado concluido concluida
repaired: consertado consertada reparado reparada
broken: quebrado quebrada avariado avariada
resolved: resolvido resolvida
approved: aprovado aprovada
rejected: rejeitado rejeitada
lives: mora vive
live: moram
we live: moramos vivemos
works: trabalha
work: trabalham
we work: trabalhamos
costs: custa
uses: usa utiliza
use: usam
we use: usamos utilizamos
called: chama
meets: reune encontra
happens: acontece realiza
takes: toma
drinks: bebe
eats: come
likes: gosta
hates: odeia
prefers: prefere
needs: precisa
smokes: fuma
drives: dirige conduz
plays: toca joga
speaks: fala
pays: paga
studies: estuda
lasts: dura
weighs: pesa
searches: procura
said: disse dito
says: diz
thinks: acha pensa
according to: conforme
planned: previsto planejado prevista
wants: quer
allowed: permitido permitida
forbidden: proibido proibida
married: casado casada
divorced: divorciado divorciada
pregnant: gravida
hospital: hospital
sick: doente
big: grande
small: pequeno pequena
long: longo longa
high: alto alta
red: vermelho vermelha
green: verde
blue: azul
white: branco branca
black: preto preta
mr: senhor sr
mrs: senhora sra
mother: mae
father: pai
brother: irmao
sister: irma
son: filho
daughter: filha
wife: esposa
husband: marido esposo
colleague: colega
gave birth: deu_a_luz deu_at_luz
extended: prorrogado prorrogada estendido prolongado prolongada
released: alta
sold: vendido vendida
elected: eleito eleita
appointed: nomeado nomeada
succeeds: sucede
removed: removido removida retirado retirada
reopened: reaberto reaberta
hired: contratado contratada
engaged: noivos noivo noiva
found: encontrado encontrada
changed: mudado_de alterado alterada
abandoned: abandonou vendeu cancelou desinstalou encerrou fechou
";
