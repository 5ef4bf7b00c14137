/** Pattern before a name; `direction` is 1 if the subject is better, -1 if the name is. */
export interface ComparisonRule {
  beforePattern: RegExp;
  direction: 1 | -1;
}

/** Words allowed between pattern and name: "than the", "than Acme/". */
const WORDS_BETWEEN = String.raw`\s(?:(?:the|a|an|its|den|der|die|das|dem|le|la|les|el|los|las)\s)?(?:[\p{L}\d’'‑-]+\s){0,2}$`;
const NEGATION_SOURCE = String.raw`(?:not|n['’]t|never|cannot|without|fails? to|unable to)`;
const rule = (before: string, direction: ComparisonRule["direction"]): ComparisonRule => ({
  beforePattern: new RegExp(before + WORDS_BETWEEN, "iu"),
  direction,
});

/** Properties of which less is better. */
const UNWANTED = String.raw`(?:prices?|costs?|fees?|noise|weight|latency|lag|distortion|bugs?|crashes|glitches|faults|ads)`;

/** Rules in order; the first match wins. */
export const COMPARISON_RULES: readonly ComparisonRule[] = [
  // English; properties of which less is better come first, as the first match wins.
  rule(
    String.raw`\b(?:lower|smaller|less|fewer) (?:\p{L}+ )?${UNWANTED}\b[^.;]{0,40}?\bthan|\b${UNWANTED} (?:is|are)(?: \p{L}+)? (?:lower|smaller)\b[^.;]{0,40}?\bthan`,
    1,
  ),
  rule(
    String.raw`\b(?:higher|greater|bigger|more) (?:\p{L}+ )?${UNWANTED}\b[^.;]{0,40}?\bthan|\b${UNWANTED} (?:is|are)(?: \p{L}+)? (?:higher|greater)\b[^.;]{0,40}?\bthan`,
    -1,
  ),
  rule(
    String.raw`\b${NEGATION_SOURCE}(?: \p{L}+){0,3} (?:match|beat|reach|rival|equal|compete with|keep up with|outperform|surpass|catch|touch)(?:ing)?`,
    -1,
  ),
  rule(
    String.raw`n['’]t(?: \p{L}+){0,3} (?:match|beat|reach|rival|equal|compete with|keep up with|outperform|surpass|catch|touch)`,
    -1,
  ),
  rule(String.raw`(?:\bnot|n['’]t)(?: \p{L}+){0,3} (?:as|so) [^,.;]{2,40} as`, -1),
  rule(String.raw`(?:\bnot|n['’]t)(?: \p{L}+){0,3} (?:at|on) (?:the )?(?:same )?(?:level|par)(?: of| as| with)?`, -1),
  rule(String.raw`(?:\bnot|n['’]t)(?: \p{L}+){0,3} at`, -1),
  rule(
    String.raw`\b(?:lags?|lagging|trails?|falls?|fall|drops?)(?: \p{L}+){0,2} (?:behind|short of)|\b(?:is|are|still|stays?) behind`,
    -1,
  ),
  rule(String.raw`\b(?:inferior to|second to|loses? (?:out )?to|beaten by|outperformed by|overshadowed by)`, -1),
  rule(
    String.raw`\b(?:beats?|beating|outperforms?|surpass(?:es)?|outshines?|outclass(?:es)?|tops|edges(?: out)?|exceeds?|wins? over|superior to|ahead of|leads)`,
    1,
  ),
  rule(String.raw`\b(?:over|rather than|instead of)`, 1),
  rule(
    String.raw`\b(?:less|fewer|weaker|shorter|worse|smaller|poorer|lower|slower|heavier|louder|bulkier|pricier|costlier|dimmer|noisier)\b[^.;]{0,60}?(?:\bthan|\bcompared (?:to|with)|\bvs\.?|\bversus)`,
    -1,
  ),
  rule(
    String.raw`\bmore (?:expensive|complex|complicated|limited|costly|modest|fragile)\b[^.;]{0,60}?(?:\bthan|\bcompared (?:to|with)|\bvs\.?|\bversus)`,
    -1,
  ),
  rule(String.raw`\b(?:more|better|stronger|\p{L}{3,}er)\b[^.;]{0,60}?\bthan`, 1),
  rule(String.raw`\b(?:more|better|stronger)\b[^.;]{0,60}?\bcompared (?:to|with)`, 1),
  rule(
    String.raw`(?:\bnot|n['’]t|\black(?:s|ing)?|\bwithout|\bmiss(?:es|ing)?)(?: \p{L}+){1,5} (?:of|like|found (?:in|on)|from)`,
    -1,
  ),
  rule(String.raw`\b(?:not|n['’]t)(?: \p{L}+){0,3} (?:as|so) \p{L}+(?: \p{L}+){0,4} as`, -1),
  rule(
    String.raw`\bnicht (?:ganz )?(?:so|an)\b[^.;]{0,40}? (?:wie|heran an)|\bnicht an|\bhinter|\bunterlegen|\b(?:schlechter|schwächer|teurer|lauter|schwerer|langsamer|kürzer|weniger)\b[^.;]{0,40}? als`,
    -1,
  ),
  rule(
    String.raw`\b(?:übertrifft|schlägt|überholt|besser als|lieber [^.;]{0,30} als|statt|gegenüber|\p{L}{3,}er\b[^.;]{0,40}? als|mehr\b[^.;]{0,40}? als)`,
    1,
  ),
  rule(
    String.raw`\b(?:pas (?:aussi|autant)|moins|pire|derrière|inférieure?s? (?:à|aux?))\b[^.;]{0,40}?(?: que|$)|\bderrière|\binférieure?s? (?:à|aux?)`,
    -1,
  ),
  rule(
    String.raw`(?<!\p{L})(?:plus cher|plus chère|plus lourd|plus lourde|plus bruyant|plus bruyante|plus lent|plus lente)s? que`,
    -1,
  ),
  rule(
    String.raw`\b(?:(?:plus|meilleure?s?|mieux)\b[^.;]{0,40}? que|plutôt que|dépasse|surpasse|bat|supérieure?s? (?:à|aux?)|devant)`,
    1,
  ),
  rule(
    String.raw`\b(?:no (?:es|son|tiene|llega|alcanza)? ?(?:tan|tanto)\b[^.;]{0,40}? como|menos\b[^.;]{0,40}? que|peor(?:es)? que|inferior(?:es)? a|por detrás de|más (?:car|pesad|ruidos|lent)[oa]s? que)`,
    -1,
  ),
  rule(
    String.raw`(?<!\p{L})(?:(?:más|mejor(?:es)?)\b[^.;]{0,40}? que|supera a|superior(?:es)? a|en lugar de|antes que|por delante de)`,
    1,
  ),
];

/** Japanese comparisons follow the name: "AよりBの方が優れている". */
export const WORSE_AFTER_JA_PATTERN = /^(?:の\p{L}{1,6}?)?(?:より|に比べ|と比べ)/u;
export const NEGATIVE_JA_PATTERN = /劣(?:る|り|って)|及ば|かなわ|低い|弱い|短い|重い|遅い|高価|少ない|悪い/u;
/** "AほどBは良くない": the name before is better. */
export const BETTER_BEFORE_JA_PATTERN = /^(?:の\p{L}{1,6}?)?ほど[^。]{0,40}(?:ない|ません|なく)/u;

/** Matches comparatives without a named yardstick. */
export const COMPARATIVE_MORE_PATTERN =
  /\b(?:better|brighter|stronger|more (?!of\b|than\b|like\b|information\b)\p{L}+|longer|faster|lighter|quieter|cheaper|sharper|deeper|larger|bigger)\b/iu;
export const COMPARATIVE_LESS_PATTERN = /\b(?:fewer|less (?!than\b)\p{L}+|weaker|shorter|worse|slower)\b/iu;

/** Words that introduce a yardstick in a column of cons. */
export const YARDSTICK_PATTERN = new RegExp(
  String.raw`\b(?:than|compared (?:to|with)|vs\.?|versus|relative to|next to|unlike)` + WORDS_BETWEEN,
  "iu",
);
/** Words after a name that is better than the subject of the item. */
export const AHEAD_AFTER_NAME_PATTERN =
  /^(?:['’]s)?(?:\s[\p{L}\d+-]+){0,4}?\s(?:still\s|often\s|generally\s|usually\s)?(?:leads?\b|wins?\b|(?:is|are) (?:still |slightly |a bit )?(?:better|ahead|stronger|superior|faster|brighter|quieter)|(?:has|have|hold) (?:the|an|a slight) (?:edge|advantage|lead)|does better|do better|outperforms?)/iu;
