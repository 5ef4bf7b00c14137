const combinePatterns = (...patterns: string[]): RegExp => new RegExp(patterns.join("|"), "iu");
const WORD_START = String.raw`(?<!\p{L})`;
const WORD_END = String.raw`(?!\p{L})`;

/** Words for an unrestricted best, or for the answer's own pick. */
export const WINNER_PATTERN = combinePatterns(
  String.raw`\bbest overall\b|\boverall best\b|\boverall (?:winner|pick|favou?rite)\b|\bbest (?:choice|pick|option) overall\b|\bclear winner\b|\bwinner\b|\btop overall\b|\bbest all[- ](?:rounder|around|round)\b|\bthe best [\w -]{0,40}(?:on the market|available|you can (?:buy|get))(?! for)`,
  String.raw`\b(?:is|was|be|are) (?:\w+ )?(?:my|our|your) (?:\w+ )?(?:pick|choice|recommendation|favou?rite|go-to|winner|bet)\b|\bmy (?:top |overall |personal |own )?(?:pick|choice|recommendation)(?: is|:| would)|\btop bet\b|\bmy go-to\b`,
  String.raw`\bI(?:['’]d| would|['’]ll)? (?:\w+ )?(?:go with|go for|lean|pick|choose|opt for|buy)\b|\bI (?:most )?recommend\b(?! check)|\bif I had to (?:pick|choose|recommend)\b.{0,80},|\b(?:would be|is) my recommendation`,
  String.raw`\btestsieger\b|\bgesamtsieger\b|\b(?:meine|unsere) (?:klare |erste |persönliche )?(?:wahl|empfehlung|favorit\w*)\b|\bmein (?:klarer )?(?:favorit|testsieger)\b|\bam besten insgesamt\b|\binsgesamt (?:am besten|die beste|der beste|das beste)\b|\bbeste\w? (?:gesamtpaket|allrounder|wahl insgesamt)\b|\bich würde (?:mich für|zu|zum|zur|die|den|das)\b`,
  String.raw`${WORD_START}(?:meilleure?s? (?:choix )?(?:global|dans l['’]ensemble|au global|en général)|mon (?:premier )?choix|mon coup de cœur|notre choix|le grand gagnant|vainqueur|je (?:choisirais|prendrais|recommande(?:rais)? (?:avant tout|surtout)|opterais))${WORD_END}`,
  String.raw`${WORD_START}(?:(?:la |el )?mejor (?:opción )?(?:en general|global|del mercado)|mi (?:primera )?(?:elección|recomendación|favorit[oa])|nuestra elección|gana(?:dor|dora)|yo (?:elegiría|escogería)|me quedaría con|me decantaría por)${WORD_END}`,
  String.raw`総合(?:的に)?(?:1位|一位|ベスト|最優秀|的に最も)|イチ(?:オシ|押し)|最もおすすめ|一番おすすめ|私なら|第一候補|ベストバイ`,
);

/** Words of prompts about news, not about a choice. */
export const NEWS_PATTERN = combinePatterns(
  String.raw`\b(?:news|headlines?|what (?:has )?happened|(?:latest|recent|notable|new) (?:[\w-]+ ){0,2}developments?)\b`,
  String.raw`${WORD_START}(?:nachrichten|schlagzeilen|neuigkeiten|actualités?|noticias|titulares|novedades)${WORD_END}|ニュース`,
);

export const DISCOURAGED_PATTERN = combinePatterns(
  String.raw`\b(?:avoid|steer clear of|stay away from|skip|I (?:wouldn['’]t|would not|don['’]t|can['’]t|do not|cannot) recommend|not recommended|not worth (?:it|the|buying|your)|pass on|don['’]t (?:buy|bother)|hard to recommend|give (?:it|this|them) a miss|look elsewhere)\b`,
  String.raw`\b(?:nicht (?:zu )?empfehlen(?:swert)?|abzuraten|rate ich ab|rate (?:\w+ ){0,4}ab|finger weg|nicht empfehlenswert|würde ich (?:meiden|nicht)|lieber meiden|lohnt sich nicht)\b`,
  String.raw`${WORD_START}(?:à éviter|évitez|éviterais|je (?:ne )?(?:déconseille|recommande pas|le déconseille)|déconseillée?s?|passez votre chemin)${WORD_END}`,
  String.raw`${WORD_START}(?:evita(?:r|ría)?|no (?:lo |la )?(?:recomiendo|recomendaría|recomendable)|desaconsej\p{L}+|no vale la pena|mejor evitar)${WORD_END}`,
  String.raw`避けた(?:ほう|方)が|おすすめ(?:できません|しません|できない|しない)|お勧め(?:できません|しません)|やめた(?:ほう|方)が`,
);

/** Positive words, which recommend even outside lists. */
export const RECOMMENDED_PATTERN = combinePatterns(
  String.raw`\b(?:recommend\w*|consider|go (?:with|for)|(?:great|good|better|best|solid|strong|excellent|fine|smart|safe|compelling|popular|top|worth\w*|ideal|perfect|leading|well[- ]\w+|fresh|viable|attractive|very \w+)\b|stands? out|shines?|excels?|highlights?|praise\w*|lists?|names?|rated?|ranked?|advantage|hard to beat|might win|pay dividends|look at|worth|suits?|known for|appears?|works well)\b|→`,
  String.raw`\b(?:empf\p{L}+|gute?\w*|beste?\w*|stark\w*|ideal\w*|solide\w*|überzeug\p{L}+|hervorragend\w*|ausgezeichnet\w*|beliebt\w*|lohn\p{L}+|geeignet\w*|punktet|führend\w*|top)\b`,
  String.raw`${WORD_START}(?:recommand\p{L}+|bon(?:ne)?s?|meilleure?s?|excellente?s?|idéale?s?|solide|conseil\p{L}+|parfaite?s?|réputée?s?|populaire|adaptée?s?|intéressante?s?)${WORD_END}`,
  String.raw`${WORD_START}(?:recomend\p{L}+|recomiendo|buen[oa]?s?|mejor(?:es)?|excelentes?|ideal(?:es)?|sólid[oa]s?|destaca\p{L}*|perfect[oa]s?|popular(?:es)?|adecuad[oa]s?)${WORD_END}`,
  String.raw`おすすめ|お勧め|優れ|人気|定評|最適|ぴったり|向いて|評価(?:が高|され)|強み|魅力`,
);

/** Matches a platform of the reader, which is no other pick: "on Android". */
export const PLATFORM_PATTERN =
  /\b(?:if|for|on)\b[^.]{0,40}\b(?:android|iphone|ios|windows|mac(?:os)?|linux|samsung)\b/i;
