//! Antonyms, written `one/other`.
//!
//! Antonyms that differ only in a prefix (`mutable/immutable`, `upstairs/downstairs`) are found by
//! rule and listed only if the rule misses them.

/// Complementary antonyms: exactly one is true, so "not open" means "closed".
pub(super) const COMPLEMENTARY: &str = "
    open/closed open/shut open/locked on/off alive/dead true/false present/absent pass/fail win/lose succeed/fail
    accept/reject accept/decline accept/refuse approve/reject approve/deny approve/veto allow/forbid allow/block
    allow/prevent grant/deny confirm/deny confirm/cancel enable/disable valid/void guilty/innocent guilty/acquitted
    legal/illicit mandatory/optional required/optional mandatory/voluntary public/private internal/external
    inside/outside indoors/outdoors include/exclude include/omit synchronous/asynchronous sync/async odd/even
    vacant/occupied free/occupied available/taken asleep/awake permanent/temporary permanent/provisional
    remember/forget keep/discard keep/delete keep/drop obey/break full-time/part-time single/married
    male/female tracked/ignored known/secret finished/pending finished/ongoing complete/partial complete/pending
    settled/outstanding resolved/open fixed/open resolved/pending merged/open fixed/broken working/broken intact/broken
    intact/damaged online/offline up/down running/stopped active/idle active/dormant manual/automatic
    automatic/hand-operated encrypted/plaintext local/remote original/copy real/fake genuine/fake genuine/forged
    natural/artificial natural/synthetic raw/cooked solvent/bankrupt paid/owing paid/overdue
    analog/digital verbal/written compiled/interpreted concrete/abstract physical/virtual attend/skip attend/miss
    catch/miss hit/miss onto/off stay/leave signed/unsigned wireless/wired sighted/blind odd/even ";

/// Contrary antonyms: both may be false.
pub(super) const CONTRARY: &str = "
    benign/malignant exothermic/endothermic love/hate like/dislike like/hate love/dislike enjoy/hate enjoy/dislike adore/detest love/loathe prefer/avoid
    like/avoid want/refuse increase/decrease increase/reduce raise/lower raise/cut rise/fall grow/shrink
    expand/shrink expand/contract gain/lose strengthen/weaken improve/worsen improve/deteriorate accelerate/slow
    warm/cool heat/cool hot/cold warm/cold hot/cool freezing/boiling mild/harsh mild/severe mild/spicy
    big/small tall/short long/short wide/narrow thick/thin deep/shallow high/low heavy/light hard/soft
    hard/easy difficult/easy difficult/simple complex/simple complicated/simple fast/slow quick/slow rapid/slow
    early/late old/new old/young older/younger elder/younger new/used modern/ancient fresh/stale fresh/rotten
    ripe/rotten wet/dry humid/dry rainy/sunny cloudy/clear foggy/clear sunny/overcast bright/dark bright/dim
    light/dark loud/quiet loud/silent noisy/quiet noisy/silent clean/dirty tidy/messy neat/messy full/empty
    full/vacant crowded/empty busy/idle rich/poor wealthy/poor expensive/cheap costly/cheap safe/dangerous
    safe/risky safe/hazardous harmless/dangerous secure/vulnerable strong/weak sturdy/fragile robust/fragile
    stable/volatile stable/flaky reliable/flaky steep/flat steep/gentle hilly/flat mountainous/flat smooth/rough
    smooth/bumpy sharp/blunt sharp/dull straight/crooked straight/curly tight/loose sweet/sour sweet/bitter
    sweet/savoury good/bad good/poor excellent/terrible excellent/poor great/terrible good/evil better/worse
    best/worst positive/negative plus/minus optimistic/pessimistic happy/sad happy/angry cheerful/gloomy calm/nervous
    calm/agitated relaxed/tense brave/cowardly polite/rude kind/cruel friendly/hostile generous/stingy
    generous/greedy honest/deceitful lazy/diligent lazy/hardworking clever/stupid wise/foolish shy/outgoing
    introvert/extrovert healthy/sick healthy/ill fit/sick strict/lenient strict/lax formal/informal formal/casual
    serious/playful major/minor maximum/minimum most/least majority/minority more/less more/fewer
    many/few much/little before/after earlier/later above/below over/under top/bottom upper/lower first/last
    front/back front/rear left/right north/south east/west northern/southern eastern/western near/far close/far
    toward/away forward/backward ahead/behind up/down upward/downward ascend/descend ascending/descending
    climb/descend inner/outer import/export start/stop start/end begin/end start/finish beginning/end launch/retire
    open/shut arrive/depart arrive/leave enter/leave enter/exit come/go join/leave join/quit hire/fire hire/dismiss
    employ/dismiss appoint/dismiss promote/demote push/pull attach/detach connect/disconnect plug/unplug lock/unlock
    install/uninstall install/remove add/remove add/subtract insert/delete create/delete create/destroy
    build/demolish build/destroy save/delete save/spend save/waste earn/spend deposit/withdraw lend/borrow
    buy/sell import/export send/receive give/take give/receive give/withhold provide/withhold teach/learn
    ask/answer lead/follow attack/defend support/oppose endorse/oppose favour/oppose agree/disagree agree/object
    vote/abstain praise/criticise praise/condemn admire/despise trust/distrust believe/doubt
    encourage/discourage help/hinder permit/ban permit/prohibit admit/deny
    tell/conceal reveal/conceal reveal/hide show/hide expose/hide publish/withdraw publish/retract ratify/repeal
    pass/repeal marry/divorce live/die survive/die survive/perish born/die float/sink land/crash tie/untie
    wake/sleep sit/stand work/rest laugh/cry smile/frown speak/listen read/ignore accelerate/brake
    inflate/deflate freeze/melt freeze/thaw solid/liquid acidic/alkaline acid/base organic/synthetic
    vegetarian/carnivorous vegan/carnivore domestic/foreign native/foreign rural/urban global/local
    ally/enemy friend/enemy winner/loser victory/defeat success/failure profit/loss surplus/deficit
    asset/liability credit/debit income/expense buyer/seller employer/employee landlord/tenant plaintiff/defendant
    parent/child teacher/student husband/wife brother/sister son/daughter uncle/aunt king/queen day/night
    morning/evening sunrise/sunset dawn/dusk today/tomorrow today/yesterday weekday/weekend summer/winter
    monthly/yearly weekly/daily oldest/newest oldest/youngest eldest/youngest largest/smallest longest/shortest highest/lowest fastest/slowest
    strengths/weaknesses advantage/disadvantage upstream/downstream sender/recipient client/server
    serial/parallel sequential/parallel sequential/concurrent eager/lazy strict/lazy static/dynamic
    mutable/constant mutable/frozen verbose/terse verbose/concise brief/lengthy detailed/vague precise/vague exact/approximate
    opaque/transparent blocked/open blocked/clear blocked/free closed/reopened common/rare frequent/rare
    often/rarely often/seldom usually/rarely frequently/rarely sometimes/always popular/unpopular
    famous/obscure unanimous/split united/divided equal/different same/different identical/different
    horizontal/vertical clockwise/counterclockwise odd/regular voluntary/forced spontaneous/planned
    conservative/progressive liberal/conservative centralised/distributed monolithic/modular bullish/bearish
    overweight/underweight tame/wild fertile/barren ebb/flow export/import innocent/convicted acquit/convict
    abundant/scarce plentiful/scarce adequate/insufficient sufficient/lacking ample/scarce ancient/recent
    arrogant/humble proud/ashamed attract/repel attractive/ugly beautiful/ugly pretty/ugly awake/unconscious
    barefoot/shod bless/curse boring/interesting boring/exciting dull/exciting bought/borrowed rent/own rented/owned
    careful/careless careful/reckless cautious/reckless certain/doubtful clear/vague clear/cloudy clear/muddy
    collapse/stand combine/separate join/separate attach/remove comedy/tragedy compliment/insult
    conceal/disclose confident/insecure construct/demolish cooked/raw correct/wrong right/wrong correct/faulty
    crowded/deserted damp/dry dense/sparse dependent/free deny/concede deaf/hearing deliberate/accidental
    intentional/accidental edible/poisonous edible/toxic toxic/harmless poisonous/harmless elastic/rigid
    flexible/rigid flexible/fixed fixed/variable constant/variable fixed/floating employed/jobless fail/thrive
    fat/thin fat/slim feed/starve first-hand/second-hand follow/ignore follow/violate comply/violate
    forgive/blame frequent/occasional funny/serious gather/scatter gentle/rough glossy/matte shiny/matte
    gradual/sudden gradual/abrupt grounded/airborne guest/host hairy/bald handmade/machine-made hollow/solid
    humid/arid hunger/satiety hungry/full idle/working ignore/notice immediate/delayed inland/coastal
    insert/remove insult/praise invite/exclude joint/separate junior/senior kill/save known/unknown
    knowingly/unwittingly legible/illegible leaky/watertight lenient/harsh lift/impose lighten/darken
    literal/figurative load/unload logged-in/logged-out loyal/treacherous lucky/unlucky mature/immature
    maximise/minimise mobile/stationary mobile/fixed moving/stationary multiply/divide narrow/broad near/distant
    nearby/distant normal/abnormal numerous/few obey/defy odd/usual omnivorous/herbivorous optional/essential
    essential/superfluous necessary/superfluous necessary/optional original/derived over/beneath
    overestimate/underestimate overpaid/underpaid parallel/perpendicular passive/active patient/impatient
    peace/war peaceful/violent permit/refuse plain/patterned plural/singular pollute/purify portable/stationary
    postpone/advance precede/follow predator/prey pregnant/barren preserve/destroy pure/contaminated
    clean/contaminated sterile/contaminated qualified/unfit question/answer random/ordered sorted/unsorted
    rejoice/mourn relevant/irrelevant reliable/unreliable rent/buy repair/break repair/damage reward/punish
    rural/municipal scalable/limited sceptical/convinced seated/standing secular/religious sell/keep sell/retain
    shared/private shared/exclusive sharp/blurry focused/blurry shout/whisper sober/drunk soluble/insoluble
    spend/hoard stale/current sunny/rainy sunny/cloudy surplus/shortage swim/sink talkative/taciturn
    tender/tough thaw/freeze tidy/untidy tiny/huge small/huge tiny/enormous tolerant/intolerant traditional/modern
    transient/persistent trivial/crucial minor/crucial true/wrong under/above underground/overground uniform/varied
    upright/lying urgent/unimportant useful/useless vertical/flat visible/hidden voluntary/mandatory warm/chilly
    waterproof/leaky wax/wane weaken/reinforce whole/broken wide/slim withdraw/commit withhold/disclose
    agree/refuse attack/retreat advance/retreat appear/vanish appear/disappear arrive/vanish capture/release
    arrest/release cause/prevent celebrate/mourn charge/discharge compress/decompress condemn/approve
    confess/deny conquer/surrender win/surrender continue/stop continue/quit continue/cancel defend/abandon
    keep/abandon keep/sell keep/lose keep/break delay/hasten descend/rise drop/rise drop/increase drop/catch
    emit/absorb exhale/inhale extend/shorten extend/retract fall/increase fall/climb fasten/loosen fill/empty
    fill/drain find/lose free/imprison gain/forfeit hasten/slow honour/dishonour inflame/soothe lengthen/shorten
    lend/withhold mount/dismount open/seal pack/unpack pass/reject persuade/dissuade plant/uproot please/annoy
    protect/endanger protect/expose quicken/slow rebuild/demolish recall/forget remain/leave remain/change
    resign/stay retain/lose reveal/withhold ripen/rot seal/unseal shut/reopen simplify/complicate
    split/merge divide/unite start/abort tighten/loosen trust/suspect unify/split use/avoid wind/unwind
    sustain/overturn uphold/overturn uphold/overrule win/draw tie/win home/away offence/defence ";

/// Converse relations: with the parties exchanged they mean the same.
pub(super) const CONVERSE: &str = "
    buy/sell lend/borrow give/receive send/receive teach/learn before/after above/below over/under older/younger
    elder/younger taller/shorter bigger/smaller larger/smaller longer/shorter faster/slower higher/lower better/worse
    more/less more/fewer earlier/later heavier/lighter richer/poorer stronger/weaker cheaper/dearer north/south
    east/west left/right front/back ahead/behind win/lose beat/lose parent/child husband/wife employer/employee
    buyer/seller landlord/tenant lead/follow precede/follow import/export hire/join earlier/later give/take
    cause/result own/belong include/belong ask/answer ";

/// Families of values of which a thing has one. Two different values exclude each other.
pub(super) const FAMILIES: &[&str] = &[
    "red green blue yellow black white brown grey purple orange pink violet turquoise beige",
    "north south east west",
    "northern southern eastern western",
    "spring summer autumn winter",
    "vegan vegetarian carnivore pescatarian omnivore",
    "single engaged married divorced widowed",
    "solid liquid gaseous",
    "gold silver bronze",
    "hourly daily weekly fortnightly monthly quarterly yearly",
    "morning afternoon evening night",
    "wood wooden plastic metal steel glass stone brick leather cotton wool silk linen marble bronze brass iron copper concrete gold silver paper",
    "small medium large",
    "freshman sophomore junior senior",
    "low moderate high",
    "baptist catholic protestant muslim jewish buddhist hindu atheist",
    "breakfast lunch dinner",
    "oak beech pine ash maple birch walnut teak",
    "square round triangular oval rectangular",
    "baby toddler teenager adult",
    "knee elbow shoulder ankle wrist hip",
    "diesel petrol electric hybrid",
    "tenor soprano alto bass baritone",
    "draft final",
    "rare medium well-done",
    "beginner intermediate advanced expert",
    "linux windows macos",
    "json xml yaml toml csv",
    "tabs spaces",
    "bus train plane ferry bicycle car tram",
];
