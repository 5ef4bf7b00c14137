/** Synonyms in five languages; the first pattern matches the words of an attribute. */
const ATTRIBUTE_SYNONYMS: readonly (readonly [of: RegExp, said: RegExp])[] = [
  [/^(?:weigh|mass|gewicht|poids|peso)/, /weigh|light|heav|gewicht|wiegt|poids|pèse|peso|pesa|重/iu],
  [
    /^(?:batter|akku|runtime|playtime)/,
    /batter|runtime|akku|laufzeit|\blasts?\b|play(?:back|time|ing)|listening|per charge|on a charge|autonom|batería|バッテリ|電池|駆動/iu,
  ],
  [
    /^(?:fl(?:ight|y)|flug|vuelo|vol$)/,
    /\bfl(?:y|ies|ight|own)|airborne|in the air|air time|flug|\bvol\b|vuelo|飛行/iu,
  ],
  [/^(?:range|reichweite|autonomie|autonomía)/, /range|\bEPA\b|reichweite|autonomie|autonomía|航続/iu],
  [/^(?:bright|helligkeit|luminosit|brillo)/, /bright|lumen|\blm\b|helligkeit|luminosité|brillo|明る|輝度/iu],
  [/^(?:price|cost|preis|prix|precio)/, /pric|cost|\$|€|preis|kostet|prix|coûte|precio|cuesta|価格|円/iu],
  [/^charg|^lade|^recharg/, /charg|lade|recharg|carga|充電/iu],
  [/^(?:noise|anc)/, /noise|\banc\b|geräusch|lärm|bruit|ruido|ノイズ|騒音/iu],
  [/^cancel/, /cancel|\banc\b|unterdrück|réduction|cancelación|キャンセ/iu],
  [
    /^(?:found|establish|gegründet|fond|fund)/,
    /\bfound(?:ed|ing)\b|establish|gegründet|gründ|fond[ée]|créée?\b|fundad|fundó|創業|設立|創立/iu,
  ],
  [
    /^(?:launch|releas|introduc|erschien|sorti|lanz)/,
    /launch|releas|introduc|debut|came out|erschien|lancé|sorti|lanzad|発売/iu,
  ],
  [/^enclos/, /enclos|geschlossen|fermée?\b|cerrad/iu],
  [/^fan$/, /\bfans?\b|\bfanless|lüfter|ventilat|ファン/iu],
  [/^(?:wireless|drahtlos|kabellos)/, /wireless|bluetooth|kabellos|drahtlos|sans fil|inalámbric|無線|ワイヤレス/iu],
  [/^foldable/, /\bfold(?:able|s|ing)\b|klappbar|pliable|plegable|折りたた/iu],
  [/^independent/, /independent|\bidex\b/iu],
  [/^extruder/, /extruder|\bidex\b/iu],
  [/^convertible/, /convertible|2[-‑ ]in[-‑ ]1|360/iu],
  [/^build|^bauraum/, /build|print(?:ing)? (?:volume|size|area)|volume|\bbed\b|large-format|bauraum/iu],
  [/^(?:tripl|three)/, /tripl|three|drei|trois|tres/iu],
  [/^works?$/, /work|compatib|support|pair|funktioniert|fonctionne|funciona|対応/iu],
  [/^waterproof/, /waterproof|water[- ]?resist|wasserdicht|étanche|impermeable|防水/iu],
];

/** Words that do not identify an attribute. */
const WEAK_WORD_PATTERN =
  /^(?:a|an|the|of|with|without|for|in|on|to|from|and|below|above|at|by|per|its|is|has|maximum|max|minimum|min|size|life|time|value|rate|level|total|resolution|capacity|power|output|mode|display|screen|light|source|phones?|support|supports|port|technology|design|system|function|architecture|width|height|depth|length|built|smartwatch|number|%|one|two)$/iu;

const MAX_WORDS = 6;

/** Patterns that must all match for a text to be about an attribute. */
export function buildAttributePatterns(attribute: string): RegExp[] {
  // "800 V" is one word.
  const joined = attribute.toLowerCase().replaceAll(/(?<=\d) (?=\p{L}{1,3}(?!\p{L}))/gu, "");
  const words = joined.split(/[^\p{L}\p{N}%]+/u);
  const strong = words.filter((word) => word !== "" && !WEAK_WORD_PATTERN.test(word));
  const own = strong.length > 0 ? strong : words.filter((word) => word.length > 2);
  return own.slice(0, MAX_WORDS).map(toPattern);
}

function toPattern(word: string): RegExp {
  const meaning = ATTRIBUTE_SYNONYMS.find(([of]) => of.test(word));
  if (meaning) return meaning[1];
  const stem = word.length > 5 ? word.replace(/(?:ing|ed|es|s|e)$/u, "") : word;
  // Only letters and digits, so no escaping is needed.
  const spaced = stem.replaceAll(/(?<=\d)(?=\p{L})/gu, "[ -]?");
  const end = word.length <= 4 ? String.raw`s?(?!\p{L})` : "";
  return new RegExp(/^[\p{Script=Latin}\d]/u.test(stem) ? String.raw`(?<![\p{L}\d])${spaced}${end}` : spaced, "iu");
}

export function matchesAttribute(text: string, words: readonly RegExp[]): boolean {
  return words.length > 0 && words.every((word) => word.test(text));
}
