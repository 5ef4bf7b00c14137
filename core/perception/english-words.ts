import { wordGroups, wordList } from "../shared/words.ts";

/** From -3 to 3. Ambiguous words ("long", "small", "high") are listed with their nouns. */
export const POLAR_WORDS: ReadonlyMap<string, number> = new Map([
  ...toStrengths("praise", 1),
  ...toStrengths("blame", -1),
]);

function toStrengths(list: string, sign: 1 | -1): [string, number][] {
  return [...wordGroups(list)].flatMap(([strength, words]) =>
    [...words].map((word): [string, number] => [word, sign * Number(strength)]),
  );
}

/** Phrases whose polarity differs from that of their words, matched before single words. */
export const POLAR_PHRASES: readonly (readonly [RegExp, number])[] = [
  [/\bnot (?:quite |nearly |yet |always |really )?(?:as|so) (?:many |much )?\S{1,40}(?: \S{1,40})?/g, -3],
  [
    /\bdrains? (?:\w+ )?(?:fast|faster|quick|quicker|quickly)\b|\bat the (?:cost|expense) of\b|\ba few (?:compromises|trade-?offs|sacrifices)\b/g,
    -3,
  ],
  [
    /\b(?:good|great|nice|fair|excellent|smart|sensible|solid|compelling|strong) (?:trade-?offs?|compromises?|mix|blend|balance)\b|\bblend of\b|\bmix of\b/g,
    2,
  ],
  [/\b(?:under|below|within|fits?)(?: or near)? (?:the |your |a )?(?:\$\S{1,40}|budget|ceiling|limit)/g, 1],
  [
    /\bhard to beat\b|\bhard to fault\b|\bsecond to none\b|\bnot bad\b|\bno (?:issues?|problems?|complaints?|compromises?|downsides?|drawbacks?|fuss|hassle|subscription)\b/g,
    2,
  ],
  [
    /\blong(?:er|est)?(?: |-)(?:\w+ )?(?:battery|flight|life|range|support|software|update|updates|warranty|lasting|runtime|endurance)\b/g,
    2,
  ],
  [
    /\b(?:large|larger|huge|big|bigger|wide|wider)(?: \S+)? (?:sensor|build|display|screen|battery|choice|range|selection|community|storage|volume|ecosystem|library)\b/g,
    1,
  ],
  [
    /\bhigh(?:er)?[ -](?:\S{1,40} )?(?:speed|quality|resolution|brightness|precision|accuracy|capacity|endurance|efficiency|refresh)\b/g,
    1,
  ],
  [
    /\blow(?:er)?(?: \S+)? (?:noise|price|prices|cost|costs|latency|maintenance|fees?|weight)\b|\bless (?:noise|noisy|expensive|complex|fatigue|blur|hassle)\b|\bfewer (?:artifacts|bugs|errors|issues)\b/g,
    1,
  ],
  [
    /\b(?:good|great|best|better|excellent|strong|solid|fair|compelling|real) (?:\w+ )?(?:value|price)\b|\bvalue for money\b|\bbang for (?:the|your) buck\b|\bsweet spot\b|\bpeace of mind\b|\bjust works?\b/g,
    2,
  ],
  [
    /\bout of the box\b|\bplug (?:&|and) play\b|\bopen[ -]source\b|\bknown for\b|\bwell (?:known|suited|supported|built|made|reviewed)\b|\bstands? out\b/g,
    1,
  ],
  [
    /\bpremium price\b|\bpremium pricing\b|\b(?:more|higher|high|steep|hefty|premium)(?:-| )?(?:premium )?(?:price|priced|pricing|cost|costs|fees?|price point|price tag)\b|\bcosts? (?:more|extra)\b/g,
    -2,
  ],
  [
    /\b(?:exceed|over|above|beyond|push|near|break|stretch|at or near|close to|creep)\S{0,40}(?: \S{1,40}){0,4} (?:budget|ceiling|limit|boundary|threshold|\$\S{1,40})/g,
    -2,
  ],
  [
    /\b(?:short|shorter|lower|less|reduced|limited|smaller|poorer|worse)(?: \S+)? (?:battery|range|life|brightness|resolution|capacity|performance|quality|volume|support|flight|storage)\b/g,
    -2,
  ],
  [
    /\bonly (?:works?|lasts?|for|on|available|supports?|with|compatible)\b|\bworks? (?:only|best) with\b|\brequires?\b|\bneeds? (?:a|an|to|more|daily|frequent|careful|some|extra)\b|\byou need\b|\byou['’]ll (?:want|need|have) to\b|\bmay (?:need|require)\b/g,
    -1,
  ],
  [
    /\b(?:not|isn['’]t|aren['’]t|wasn['’]t|never)\b(?: \S+){0,3} (?:for everyone|for all|ideal|enough|suited|suitable|the best|the latest|the fastest|the cheapest|as \S+)\b/g,
    -2,
  ],
  [
    /\b(?:won['’]t|can['’]t|cannot|may not|might not|does not|doesn['’]t|don['’]t|didn['’]t|could not)\b(?: \S+){0,3} (?:match|beat|reach|have|support|include|offer|get|handle|come|replace|compete|appeal|hold)\b/g,
    -2,
  ],
  [/\bless (?!noise|noisy|expensive|complex|fatigue|blur|hassle|than)\S+/g, -1],
  [/\bnot (?:quite |yet |as |so |always |fully |really |particularly |especially ){1,9}\S{1,40}/g, -2],
  [
    /\bon the (?:\w+ )?(?:heavy|pricey|expensive|large|heavier|slow) side\b|\bfalls? short\b|\bbest for (?:beginners only|experts only)\b|\bsteep learning curve\b|\blearning curve\b|\bwrong (?:for|choice)\b|\btoo (?!much trouble)\S+/g,
    -2,
  ],
  [
    /\btake some getting used to\b|\bno longer\b|\broom for improvement\b|\bleaves? (?:much|a lot|something) to be desired\b|\bhit[ -]or[ -]miss\b/g,
    -2,
  ],
  [
    /\bno (?!one\b|doubt\b|matter\b|wonder\b|extra\b|need\b|lamp\b|subscription\b|issues?\b|problems?\b|complaints?\b|compromises?\b|downsides?\b|drawbacks?\b|fuss\b|hassle\b)\S+/g,
    -1,
  ],
  [
    /\bwithout (?:being |any |a lot of |too much )?(?:loud|noise|noisy|heavy|bulk|fuss|hassle|compromise|compromises|lag|issues|problems|expensive)\b/g,
    1,
  ],
];

export const NEGATION_WORDS = wordList("negations");
export const INTENSIFIER_WORDS = wordList("intensifiers");
export const HEDGE_WORDS = wordList("hedges");
