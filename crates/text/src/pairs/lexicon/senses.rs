//! Synonyms, irregular forms and verb classes.

/// One sense per line. Only words that are interchangeable in most sentences are listed, because a
/// wrong synonym merges different statements.
pub(super) const SENSES: &str = "
    big large
    small little tiny
    start begin commence
    end finish
    stop cease halt
    buy purchase
    allow permit
    forbid prohibit ban
    mandatory compulsory obligatory
    require need
    help assist
    sick ill
    quick fast rapid swift
    expensive costly pricey
    cheap inexpensive
    child kid
    mother mum mom mummy mommy
    father dad daddy
    grandmother granny grandma
    grandfather grandpa granddad
    movie film
    holiday vacation
    apartment flat
    lift elevator
    doctor physician
    attorney lawyer
    cancel scrap
    delay postpone
    error mistake
    answer reply respond
    fix repair mend
    choose select pick
    collect gather
    depart leave
    reside live
    situated located
    called named
    currently presently
    whole entire
    phone telephone
    photo photograph picture
    bicycle bike
    car automobile
    couch sofa
    garbage trash rubbish
    tap faucet
    pavement sidewalk
    autumn fall
    birth born
    wedding marriage
    dispute quarrel argument
    collapse disintegrate
    founded establish
    show display
    hide conceal
    happen occur
    obtain acquire receive
    keep retain
    send dispatch
    often frequently
    rarely seldom
    usually normally typically
    staff employee personnel
    firm company
    cost price
    remove delete erase
    modify alter change
    contain include
    immediately instantly
    automatic automated
    happy glad
    sad unhappy
    journey trip
    pupil student
    hurt ache
    talk speak
    dangerous hazardous risky
    safe secure
    entrance entry
    dismiss sack
    tired exhausted
    luggage baggage
    long length
    high height
    wide width
    deep depth
    weigh weight
    passenger traveller
    parcel package
    petrol gasoline
    lorry truck
    queue line
    biscuit cookie
    aubergine eggplant
    courgette zucchini
    coriander cilantro
    football soccer
    nappy diaper
    maths mathematics math
    cv resume
";

/// Irregular forms with their base.
pub(super) const IRREGULAR: &str = "
    goes/go does/do ran/run won/win lost/lose bought/buy sold/sell met/meet took/take taken/take gave/give given/give went/go gone/go
    came/come became/become began/begin begun/begin broke/break broken/break brought/bring built/build caught/catch
    chose/choose chosen/choose drank/drink drunk/drink drew/draw drawn/draw drove/drive driven/drive ate/eat eaten/eat
    fell/fall fallen/fall felt/feel fought/fight found/find flew/fly flown/fly forgot/forget forgotten/forget
    froze/freeze frozen/freeze got/get gotten/get grew/grow grown/grow heard/hear held/hold hid/hide hidden/hide
    kept/keep knew/know known/know led/lead left/leave lent/lend lay/lie made/make meant/mean paid/pay rode/ride
    ridden/ride rose/rise risen/rise said/say saw/see seen/see sent/send shook/shake shot/shoot sang/sing sung/sing
    sank/sink sunk/sink sat/sit slept/sleep spoke/speak spoken/speak spent/spend stood/stand stole/steal stolen/steal
    stuck/stick struck/strike swam/swim swum/swim taught/teach tore/tear torn/tear told/tell thought/think threw/throw
    thrown/throw understood/understand woke/wake woken/wake wore/wear worn/wear wrote/write written/write dealt/deal
    dug/dig fed/feed fled/flee hung/hang laid/lay slid/slide shone/shine shrank/shrink shrunk/shrink swore/swear
    wound/wind children/child men/man women/woman people/person feet/foot teeth/tooth mice/mouse lives/live
    wives/wife knives/knife died/die dying/die dies/die lying/lie lies/lie beaten/beat bitten/bite blew/blow
    blown/blow bent/bend bound/bind burnt/burn learnt/learn spelt/spell spoilt/spoil dreamt/dream fewer/few
    arose/arise awoke/awake forbade/forbid forbidden/forbid withdrew/withdraw withdrawn/withdraw upheld/uphold
    overcame/overcome undertook/undertake sought/seek wept/weep crept/creep swept/sweep lit/light proven/prove
    shown/show sewn/sew sown/sow mown/mow swollen/swell sprang/spring stank/stink wove/weave woven/weave
";

/// Verbs that can be the predicate of a statement. An uninflected form counts only where a verb is
/// possible.
pub(super) const VERBS: &str = "
    accept add adopt advise agree allow announce answer appear apply appoint approve arrive ask attend avoid back ban bake
    beat become begin believe belong block boil book borrow break bring build burn buy call cancel carry catch cause
    change charge check choose cite claim climb close collect come commute complain complete confirm connect consist
    contain continue contribute cook cost count cover create cross cut damage date deal decide decline decrease defeat
    delete deliver demand deny depart depend describe deserve destroy develop die disable discover discuss dislike
    dissolve divide divorce document drag draw drink drip drive drop earn eat emigrate employ enable encourage end
    endorse enjoy enter erupt establish exceed exclude exist expand expect expire explain export extend face fail fall
    favour feed feel fight fill find finish fire fit fix flow fly follow forbid forget form founded freeze fry gain get
    give go govern graduate grant grow guard handle hang happen hate have hear heat help hide hire hit hold host hurt
    ignore import improve include increase inherit initial inject insist install introduce invent invest invite join
    keep kill know lack land last launch lay lead leak learn leave lend let lie like limit listen live load lock log
    look lose love lower made make manage mark marry mean measure meet melt merge mention migrate miss move name
    need obey occur offer open oppose order organise originate outlaw owe own paint park participate pass pay perform permit phone
    plan plant play point postpone prefer prepare present prevent print produce prohibit promise promote protect prove
    provide publish pull punish push put quit raise ran rank reach read receive recommend record recover reduce refuse
    regret reject rely remain remember remove rename rent repair repay replace reply report represent request require
    resign rest retire return reveal ride ring rise roast run save say schedule score see seem seize sell send
    separate serve set settle share shine ship shoot show shut sign sing sink sit skip sleep slip smell smoke solve
    sort speak spend split stand start stay steal stick stir stop store study submit succeed suffer suggest suit
    summarise supervise supply support surrender survive swim switch take talk taste teach tell tend terminate test
    think throw tie train translate travel treat trigger trust try turn understand unlock update upgrade use
    validate value visit vote wait wake walk want warn wash watch wear weigh win wish withdraw work worry write
    yield search cycle reside stay maintain oversee operate seek rehearse born
";

/// Verbs with little meaning of their own: exchanging them changes nothing if the rest is shared.
pub(super) const LIGHT: &str = "
    have get be make do take go come contain include consist give put set hold happen occur exist lie stand remain stay
    keep last run serve amount mean become locate situate place use find spend date feature possess own name call
    begin thing date time number amount total person people place way kind part case fact bit lot piece item
    decide tell say state seem show exactly really very quite also just even still already actually overall
    together altogether currently officially basically generally ever any own later soon total there only alone solely exclusively sole single
";

/// Verbs with many objects per subject: a second object is not a contradiction.
pub(super) const MANY_OBJECTS: &str = "
    like love hate enjoy dislike know visit meet play speak buy read see eat drink watch invite include contain have
    support offer sell own collect study teach learn train cook bake add order write try mention discuss cite invest
    recommend avoid need want help call email message phone thank follow travel go fly drive interview hire test
    review fix ship release merge print publish send receive give use attend listen notice ask
";

/// Nouns of which a thing has one: a second name is a contradiction.
pub(super) const ONE_NAME: &str = "
    name call title born birth birthplace live reside located situated capital chief captain manage supervise marry
    belong succeed founded host govern base depart invent discover author narrate direct compose inherit star headquarters
    fall honeymoon originate store assign lead chair president mayor maiden nickname password username email address
    owner landlord boss spouse husband wife father mother favourite main default primary die bury
";

/// Verbs and nouns with one date per thing: born, due, founded.
pub(super) const ONE_DATE: &str = "
    born birth die death marry wedding founded establish launch expire deadline due schedule start begin end finish open
    close happen occur become join retire graduate inaugurate abolish destroy sign ratify complete
    discover invent erupt emigrate arrive depart anniversary birthday release elect
    place exam appointment wedding concert conference surgery interview
    crown publish outbreak collapse demolish dissolve introduce date
";

/// Relations that hold in one direction only: the winner of a match is not its loser.
pub(super) const ONE_WAY: &str = "
    beat defeat win outrank precede follow succeed own manage supervise contain depend owe acquire buy sell cause prefer
    outlive inherit employ hire lead older younger taller shorter bigger smaller larger longer faster slower higher
    lower better worse more less fewer earlier later heavier lighter richer poorer stronger weaker cheaper elder before
    after above below north south east west than replace overtake lend borrow exceed report descend
";
