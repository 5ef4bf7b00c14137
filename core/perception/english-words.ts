/**
 * Words that praise or blame a thing, in English, with how strongly (1 to 3). Our own collection, made by hand from reviews and buying guides in
 * general; words that are good of one thing and bad of another ("long", "small", "high") stand with the things that they are good or bad of.
 */
const PRAISE: Readonly<Record<number, string>> = {
  3: `excellent superb outstanding exceptional amazing best best-in-class top-tier top-notch unmatched unbeatable perfect flawless stunning
    phenomenal class-leading industry-leading incredible incredibly fantastic superior terrific gorgeous exceptionally unrivaled finest`,
  2: `great strong impressive impressively powerful premium robust refined ideal excel excels excelled brilliant beautiful remarkable outshines shines shine
    praised beloved renowned trusted proven superbly compelling advanced cutting-edge generous rich richer stronger greater better love loved
    loves sharp vivid immersive hard-to-beat amazingly ultra-reliable leading leader champion deep deepest polished`,
  1: `good solid decent nice fine reliable reliability durable durability rugged sturdy versatile versatility capable efficient affordable affordably cheaper cheapest inexpensive
    budget-friendly value-packed balanced well-balanced balance sleek stylish elegant easy easier easiest intuitive simple simpler simplicity seamless seamlessly
    smooth smoother smoothest comfortable comfort comfy improved improves improvement improvements enhanced enhances flexible flexibility flexibly stable accurate
    quiet quieter silent clean crisp crisper mature competitive competitively useful helpful viable user-friendly beginner-friendly
    lightweight light lighter portable compact fast faster quick quicker quickest speedy bright brighter brightest secure safe safer safest long-lasting
    well-built well-made well-designed well-rounded well-reviewed well-tuned well-suited well-integrated well-supported all-in-one convenient convenience
    modern upgradable upgradeable customizable expandable adaptable integrates friendly supports helps help quality worth worthwhile pleasing popular respected reputable advantage advantages
    edge plus perks perk benefit benefits boost boosts wins winning discounted bargain high-quality high-end high-performance
    tough tougher thoughtful innovative trustworthy transparent responsive consistent consistently dependable dependably scalable precise precision attractive
    appealing comprehensive extensive thorough helpfully fun enjoyable healthy tasty delicious fresh generous tempting clearer clear wide-ranging feature-rich
    energy-efficient eco-friendly sustainable warranty award-winning acclaimed favored ergonomic breathable cushioned waterproof water-resistant longer
    practical rigid no-fuss hassle-free plug-and-play ready-to-use serious nimble snappy agile peppy`,
};
const BLAME: Readonly<Record<number, string>> = {
  3: `terrible awful worst horrible unusable useless impractical unreliable broken dangerous scam abysmal atrocious`,
  2: `poor poorly weak weaker weakest bad worse expensive pricey costly overpriced disappointing disappoints frustrating frustrated flawed lacks lack lacking lackluster
    struggle struggles suffer suffers suffering criticized criticised criticism complain complains complaints buggy inferior outdated dated obsolete clunky cumbersome flimsy fails fail
    failure failures underwhelming mediocre inconsistent defects defective`,
  1: `limited moderate moderately limits limit limiting limitation limitations loud louder noisy noisier heavy heavier heaviest bulky bulkier bulk slow slower slowest sluggish modest complex complicated
    complexity drawback drawbacks downside downsides compromise compromises compromised trade-off trade-offs tradeoff tradeoffs issue issues problem problems quirks quirk
    artifacts exceed exceeds drain drains draining lag lags lagging laggy behind overkill niche fewer missing absent steep steeper tricky difficult harder hard
    fragile risk risks risky concern concerns caveat caveats bloated confusing cramped basic barebones inaccurate unstable unproven weakness
    weaknesses restrictive restricted locked lock-in shorter smaller pricier costlier dearer dim dimmer aging ageing bulked tire tiring hot
    uncomfortable unavailable unsuitable unclear overheats overheating throttle throttles throttling scarce penalty sacrifice sacrifices sacrificing
    suffers noticeable delays delay cons con stiff annoying awkward mixed questionable spotty finicky fiddly demanding less immature dropped creep degrade degrades`,
};

function table(words: Readonly<Record<number, string>>): [string, number][] {
  return Object.entries(words).flatMap(([strength, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((word): [string, number] => [word, Number(strength)]),
  );
}

/** Strength of a word, above zero where it praises. */
export const POLAR_WORDS: ReadonlyMap<string, number> = new Map([
  ...table(PRAISE),
  ...table(BLAME).map(([word, strength]): [string, number] => [word, -strength]),
]);

/** Several words that say together what none says alone. They are read before single words. */
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

export const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never nor neither without hardly barely isn't aren't wasn't doesn't don't didn't won't can't cannot couldn't wouldn't lacks lack lacking".split(
    " ",
  ),
);
export const INTENSIFIERS: ReadonlySet<string> = new Set(
  "very extremely really incredibly especially highly exceptionally remarkably truly particularly super so ultra most".split(
    " ",
  ),
);
export const HEDGES: ReadonlySet<string> = new Set(
  "may might could can slightly somewhat possibly perhaps potentially sometimes occasionally relatively fairly rather often a-bit".split(
    " ",
  ),
);
