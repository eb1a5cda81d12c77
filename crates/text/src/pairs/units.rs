//! Units of measure, each with its size in a base unit.

use std::sync::OnceLock;

use super::hashing::WordMap;
/// One base unit per line: its units and their sizes. Single letters count only after a number.
const UNITS: &str = "
    s: ms=1e-3 msec=1e-3 s=1 sec=1 second=1 min=60 minute=60 h=3600 hr=3600 hour=3600 day=86400 week=604800
    s: fortnight=1209600
    month: month=1 year=12 yr=12 decade=120 century=1200 centurie=1200
    m: mm=1e-3 cm=1e-2 m=1 metre=1 meter=1 km=1e3 mile=1609.344 inch=0.0254 inche=0.0254 ft=0.3048 foot=0.3048
    m: feet=0.3048
    g: μg=1e-6 µg=1e-6 mcg=1e-6 mg=1e-3 g=1 gram=1 gramme=1 kg=1e3 kilo=1e3 tonne=1e6 lb=453.592 pound=453.592 oz=28.3495 ounce=28.3495
    l: ml=1e-3 cl=1e-2 l=1 litre=1 liter=1
    tbsp: tbsp=1 tablespoon=1
    tsp: tsp=1 teaspoon=1
    byte: byte=1 kb=1e3 mb=1e6 gb=1e9 tb=1e12 terabyte=1e12 kib=1024 mib=1048576 gib=1073741824
    eur: euro=1 eur=1 \u{20ac}=1
    usd: $=1 dollar=1 usd=1 buck=1
    gbp: \u{a3}=1 gbp=1
    chf: chf=1 franc=1
    cent: cent=1
    jpy: yen=1
    m2: m2=1 sqm=1 km2=1e6
    %: percent=1 pct=1 %=1
    degree: degree=1 °c=1 °=1 celsius=1
    fahrenheit: °f=1
    kelvin: kelvin=1 k=1
    hz: hz=1 khz=1e3 mhz=1e6 ghz=1e9
    w: w=1 watt=1 kw=1e3 mw=1e6
    kwh: kwh=1
    v: v=1 volt=1
    kcal: kcal=1 calorie=1
";

const PREFIXES: [(&str, f64); 8] = [
    ("milli", 1e-3),
    ("centi", 1e-2),
    ("deci", 0.1),
    ("kilo", 1e3),
    ("mega", 1e6),
    ("giga", 1e9),
    ("micro", 1e-6),
    ("nano", 1e-9),
];

/// Returns the base and size of a unit, singular or plural.
pub(crate) fn unit(word: &str) -> Option<(&'static str, f64)> {
    static FOUND: OnceLock<WordMap<&'static str, (&'static str, f64)>> = OnceLock::new();
    let units = FOUND.get_or_init(table);
    let find = |word: &str| units.get(word).copied();
    let plain = |word: &str| find(word).or_else(|| word.strip_suffix('s').filter(|one| one.len() > 1).and_then(find));
    let prefixed = |(prefix, factor): &(&str, f64)| {
        let rest = word.strip_prefix(prefix).filter(|rest| rest.len() > 3)?;
        plain(rest).map(|(base, size)| (base, size * factor))
    };
    plain(word).or_else(|| PREFIXES.iter().find_map(prefixed))
}

fn table() -> WordMap<&'static str, (&'static str, f64)> {
    let lines = UNITS.lines().filter_map(|line| line.trim().split_once(": "));
    let units = lines.flat_map(|(base, units)| units.split(' ').map(move |unit| (base, unit)));
    units
        .filter_map(|(base, unit)| unit.split_once('=').map(|(name, size)| (name, (base, size.parse().unwrap_or(1.0)))))
        .collect()
}
