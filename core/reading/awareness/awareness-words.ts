/** Placeholder for each letter of the name. */
export const NAME_PLACEHOLDER = "\uE000";
const NAME_PATTERN = `${NAME_PLACEHOLDER}+(?!${NAME_PLACEHOLDER})`;

// Texts are folded to lower case without accents. A possessive ("X's prices") is about something
// else than the name.
const NAME_WITHOUT_POSSESSIVE = String.raw`${NAME_PATTERN}(?!'s? [a-z]|s' )`;
/** Phrases with or for the name: "a running shoe brand called X", "this brand". */
const BRAND_OBJECT_PATTERN_EN = String.raw`(?:(?:(?!(?:of|on|in|for|by|from|about|at|with|between|how|whether|if|why|what|when|which|where|who|but|than|as|like)\b)[\p{L}\p{N}'/-]+,? ){0,8}?${NAME_WITHOUT_POSSESSIVE}|.{0,80}?(?:called|named|name of|known as|by the name|under the name|the name) ${NAME_WITHOUT_POSSESSIVE}|(?:it|them|this|that)(?= |[.,;!]|$)|(?:this|that|the) (?:specific |particular )?(?:brand|company|name|product|one|term|manufacturer)(?! (?:of|for|has)\b))`;
const OBJECT_DE = String.raw`(?:(?:(?!(?:von|bei|in|im|aus|fur|wie|ob|warum|was|wann|wo|dass|als)\b)[\p{L}\p{N}/-]+ ){0,6}?${NAME_WITHOUT_POSSESSIVE}|(?:dies\w+|d(?:ie|er|as|en|em|iese\w*)) (?:marke|firma|namen?|unternehmen|produkt|anbieter|hersteller)(?! (?:von|fur|der)\b)|(?:sie|es|ihn|dazu|daruber|damit)(?= |[.,;!]|$))`;
const NOUN_FR = String.raw`(?:la |le |l'|une |un |cette |cet |ce |de |d')?(?:marque|entreprise|societe|produit|outil|nom|fabricant|enseigne)`;
const OBJECT_FR = String.raw`(?:(?:${NOUN_FR}(?: [\p{L}\p{N}'-]+){0,6}? )?${NAME_WITHOUT_POSSESSIVE}|${NOUN_FR}(?= |[.,;!]|$)(?! (?:de|du|des|d')\b))`;
const NOUN_ES = String.raw`(?:la |el |una |un |esta |este |esa |ese |ninguna |ningun )?(?:marca|empresa|compania|producto|nombre|fabricante|herramienta)`;
const OBJECT_ES = String.raw`(?:(?:${NOUN_ES}(?: [\p{L}\p{N}'-]+){0,6}? )?${NAME_WITHOUT_POSSESSIVE}|${NOUN_ES}(?= |[.,;!]|$)(?! (?:de|del)\b))`;
const KIND_JA = "(?:という(?:名前の|名の)?[^。、]{0,16}|(?:ブランド|社))?";
const ABOUT_JA = String.raw`${NAME_PATTERN}${KIND_JA}(?:について(?:の|は)?|に関して(?:の|は)?|に関する|の(?=情報|詳細|データ))`;

const combinePatterns = (...patterns: string[]): RegExp => new RegExp(patterns.join("|"), "u");

/** The name is unknown: "I'm not familiar with X", "X kenne ich nicht". */
export const NAME_UNKNOWN_PATTERN = combinePatterns(
  String.raw`(?:\bnot|n't|\bun)(?: (?:personally|really|currently|specifically|immediately|particularly|actually|familiar or))* ?(?:familiar with|aware of|acquainted with) ${BRAND_OBJECT_PATTERN_EN}`,
  String.raw`(?:did|could|can|was|were|am)(?:n't| not|not)(?: [\w-]+){0,4}? (?:find|locate|verify|confirm) ${BRAND_OBJECT_PATTERN_EN}|(?:do|did|does|have|could|can|would|had)(?:n't| not|not)(?: [\w-]+){0,4}? (?:identify|recogni[sz]e|know(?: of| about| anything about| much about)?|heard(?: anything)?(?: of| about)?|come across|encountered) ${BRAND_OBJECT_PATTERN_EN}`,
  String.raw`(?:\bno|\black\w*|\bwithout|(?:n't|\bnot)(?: \w+){0,3}? (?:have|find|locate|see|possess|provide|include|contain|cover|much|any|enough)|unable to \w+)(?: [\w,-]+){0,6}? (?:information|info|knowledge|records?|data|details|evidence|mentions?|references?|trace|results?|anything)(?: (?!(?:about|on|of|for)\b)\w+){0,3}? (?:about|on|of|for|to|regarding|concerning|that mentions?) ${BRAND_OBJECT_PATTERN_EN}|\boutside (?:of )?what i know`,
  String.raw`(?:there is|there's|there are|i know of|know of|i'm aware of|find) (?:currently )?no (?:[\w-]+ ){0,6}?(?:called|named|by the name(?: of)?|with the name|known as|under the name) ${NAME_PATTERN}`,
  String.raw`never (?:actually )?(?:heard|encountered|come across)(?: of| about)?(?: \w+){0,4}? ${BRAND_OBJECT_PATTERN_EN}`,
  String.raw`${NAME_PATTERN}"? (?:is|was)(?: not|n't) (?:a |an |the )?(?:[\w-]+ ){0,5}?(?:that |which )?(?:i|we)(?:'m| am|'ve| have)? (?:\w+ )?(?:recogni[sz]e|know|aware|familiar|heard|have|can)`,
  String.raw`${NAME_PATTERN}(?: \w+)? (?:does|do)(?: not|n't) (?:appear|seem)(?: to be (?:a |an |the )?(?:[\w-]+[ -]){0,4}?(?:known|recogni[sz]ed|recogni[sz]able|established|real|existing|prominent|popular|documented|mainstream|familiar|major)| to (?:exist|match|correspond)| in (?:my|any|the))`,
  String.raw`${NAME_PATTERN}(?: \w+)? (?:does|do)(?: not|n't) (?:ring a bell|exist|match|correspond|come up|show up)|\b(?:this|that|the name) (?:does|do)(?: not|n't) ring a bell`,
  String.raw`(?:n't|\bnot|\bno|\bnicht|\bkeine?|\bpas|\baucune?|\bni)\b[^.!?]{0,60}\b(?:(?:what|who) ${NAME_PATTERN} (?:is|refers|means|stands)|(?:was|wer) ${NAME_PATTERN} ist|ce qu'est ${NAME_PATTERN}|que es ${NAME_PATTERN})|\bname is new to me`,
  String.raw`${NAME_PATTERN}"? is (?:unknown|unfamiliar) to me|${NAME_PATTERN}"? is (?:a |an |the )?(?:[\w-]+ ){0,3}?(?:that |which )?i(?:'m| am|'ve| have)? ?(?:not familiar|unfamiliar|never heard|never come|don't (?:know|recogni|have)|do not (?:know|recogni|have)|haven't (?:heard|come)|can't (?:find|identify|verify|place))`,
  String.raw`${NAME_PATTERN}"? is(?: not|n't) (?:a |an |the )?(?:[\w-]+ ){0,3}?(?:that |which )?(?:appears|exists|is) (?:in my|known|familiar)|n't (?:believe|think)(?: that)? (?:there is a brand called )?${NAME_PATTERN} (?:is|was|exists)(?: \w+){0,3}? (?:known|real|recogni|established)|\bnot (?:\w+ )?(?:sure|certain) (?:what|who) ${NAME_PATTERN} is|\bnot (?:\w+ )?(?:sure|certain) which (?:brand|company) `,
  String.raw`${NAME_PATTERN}(?: \w+){0,2} (?:does|do|did)(?:n't| not)(?: \w+){0,2} (?:come to mind|come up|turn up|appear in|show up)|\b(?:can't|cannot|can not) say (?:that )?i(?:'ve| have)? (?:ever )?(?:heard|come across|know)|\blittle (?:to no )?(?:\w+ ){0,3}?(?:information|data)(?: (?!(?:about|on|of)\b)\w+){0,3}? (?:about|on|regarding) ${BRAND_OBJECT_PATTERN_EN}|\b(?:drawing|draw) a blank|\bnothing (?:came|comes|turned|turns|shows|showed) up|\bcom(?:e|es|ing) up empty|\bno (?:matches|hits) for ${BRAND_OBJECT_PATTERN_EN}`,
  String.raw`\bkenne? (?:ich )?(?:\w+ ){0,2}?(?:${NAME_PATTERN}|sie|es|die(?:se)? marke|den namen)(?: [\p{L},]+){0,3}? nicht\b|${NAME_PATTERN}"?(?: \w+){0,3} kenne? ich(?: \w+){0,3} nicht\b|\bkenne? (?:ich )?(?:leider )?kein\w* .{0,50}${NAME_PATTERN}`,
  String.raw`${NAME_PATTERN}"?(?: \w+){0,3} mir(?: \w+){0,4} (?:nicht |un)(?:bekannt|gelaufig|vertraut)|${NAME_PATTERN}"?(?: \w+){0,2} (?:taucht|erscheint|findet sich|kommt)(?: \w+){0,5} nicht\b|${NAME_PATTERN}"? ist in meinen \w+ nicht|\bmir ist (?:[\w-]+ ){0,6}?${NAME_PATTERN}(?: \w+){0,3} (?:nicht |un)bekannt|\bmir ist (?:leider )?kein\w* .{0,50}${NAME_PATTERN}.{0,20}bekannt`,
  String.raw`${NAME_PATTERN}"?(?: \w+){0,3} sagt mir(?: \w+){0,2} nichts|\bsagt mir (?:${NAME_PATTERN}|der name ${NAME_PATTERN}|die marke ${NAME_PATTERN}|\w+ )? ?(?:leider )?nichts`,
  String.raw`\bkeine?\w* (?:[\w-]+[ ,]+){0,6}?(?:informationen|angaben|daten|kenntnis\w*|infos|details|hinweise|treffer|belege|ergebnisse|erkenntnisse|eintrage)(?: (?!(?:uber|zu|von|fur)\b)\w+){0,3}? (?:uber|zu|zur|zum|von|fur|bezuglich|mit) ${OBJECT_DE}`,
  String.raw`\b(?:uber|zu|zur|von) ${OBJECT_DE}(?: [\w,]+){0,5}? (?:keine?\w* (?:[\w-]+ ){0,4}?(?:informationen|angaben|daten|infos|details|hinweise|treffer|erkenntnisse)|nichts(?: \w+)? (?:finden|gefunden|bekannt|sagen|mitteilen|berichten))|\bist keine? mir bekannte\w*|\bnicht sicher, (?:was|wer|welche)\w* [^.]{0,40}${NAME_PATTERN}`,
  String.raw`\bnichts (?:\w+ ){0,3}?(?:uber|zu|zur|von) ${OBJECT_DE}|\bmit ${OBJECT_DE}(?: \w+){0,2}? nicht vertraut|\bnicht (?:\w+ )?mit ${OBJECT_DE} vertraut|(?:nie|nicht)(?: \w+){0,3}? von ${OBJECT_DE}(?: \w+){0,2}? gehort|\bvon ${OBJECT_DE}(?: \w+){0,4}? (?:nie|nichts|nicht)(?: \w+){0,2}? gehort`,
  String.raw`\bne (?:connais|reconnais)(?: \w+)? pas ${OBJECT_FR}|\bne (?:la |le |l')?connais pas(?:[.,;!]|$)|\bpas (?:\w+ )?(?:famili\w+ avec|au courant de) ${OBJECT_FR}`,
  String.raw`(?:\bpas (?:\w+ ){0,2}(?:suffisamment |assez )?d'|\baucune? )(?:informations?|donnees?|details?|mentions?|traces?|elements?|renseignements?)(?: (?!(?:sur|de|du|des)\b)\w+){0,3}? (?:sur|concernant|a propos de|au sujet de|de) ${OBJECT_FR}`,
  String.raw`\bne me dit(?: \w+)? rien|\brien (?:\w+ ){0,3}?sur ${OBJECT_FR}|${NAME_PATTERN}"? (?:n'apparait|ne figure|n'est repertoriee?) pas|${NAME_PATTERN}"? m'est(?: \w+)? inconnue?|\bm'est inconnue?\b|\bjamais entendu parler(?: (?:de |d')${OBJECT_FR}|[.!,]|$)|\bpas connaissance (?:de |d')${OBJECT_FR}|${NAME_PATTERN}"? n'est pas (?:une? )?(?:\w+ ){0,3}?que je (?:connais|reconnais)|${NAME_PATTERN}"? n'est pas (?:une? )?(?:\w+ ){0,2}(?:repertoriee?|referencee?) |\bn'y a pas (?:de |d')${OBJECT_FR}|\bpas (?:\w+ )?sure? de savoir ce qu'est ${NAME_PATTERN}|\baucune marque (?:[\p{L}'-]+ ){0,4}?(?:appelee|nommee|du nom de|portant le nom(?: de)?) ${NAME_PATTERN}|\bn'existe pas (?:de |d')${OBJECT_FR}`,
  String.raw`\bno (?:la )?(?:conozco|reconozco) ${OBJECT_ES}|\bno (?:la|lo) conozco|\bdesconozco ${OBJECT_ES}|\bno estoy (?:\w+ )?familiarizad[oa] con ${OBJECT_ES}|${NAME_PATTERN}"? no es (?:una? )?(?:\w+ ){0,3}?que (?:yo )?(?:reconozca|conozca|conozco)|\bno estoy (?:\w+ )?segur[oa] de que es ${NAME_PATTERN}|\bno se (?:que|quien) es ${NAME_PATTERN}|\bno me consta\b`,
  String.raw`\bno (?:tengo|dispongo de|encontre|he encontrado|encuentro|hay|existe|cuento con|pude encontrar|he podido encontrar)(?: [\p{L},]+){0,5}? ?(?:informacion|datos|detalles|registros?|referencias?|constancia|conocimiento|resultados)(?: (?!(?:sobre|de)\b)\w+){0,3}? (?:sobre|de|acerca de|respecto a|relacionad[oa] con) ${OBJECT_ES}`,
  String.raw`\bnada (?:\w+ ){0,2}?(?:sobre|de) ${OBJECT_ES}|${NAME_PATTERN}"? no (?:aparece|figura|consta) en|${NAME_PATTERN}"? no es (?:una? )?(?:\w+ ){0,3}?que me (?:resulte|sea|suene)|${NAME_PATTERN}"? me (?:es|resulta) (?:\w+ )?desconocid[oa]|${NAME_PATTERN}"? no me suena|\bno me suena ${OBJECT_ES}|\bno me suena(?:[.,;!]|$)|\bnunca (?:he )?(?:oido|oi|escuchado)(?: \w+){0,2} (?:de|sobre) ${OBJECT_ES}|\bningun\w* marca .{0,40}(?:llamada|con el nombre de|denominada) ${NAME_PATTERN}|\bno (?:hay|existe|conozco) (?:ninguna )?marca (?:[\p{L}]+ ){0,4}?(?:llamada|con el nombre(?: de)?|denominada) ${NAME_PATTERN}`,
  String.raw`${NAME_PATTERN}${KIND_JA}(?!より|ほど|以上|の)(?:は|を|のことは|については?|に(?:は|関して(?:は)?)?|、|も)?(?:、?私の[^。、]{1,12}に?は?、?)?[^の。]{0,14}?(?:知りません|知らない|存じません|存じ上げ(?:ません|ておりません)|聞いたことが(?:ありません|ない)|聞き慣れない|聞きなれない|初めて聞|覚えがありません|把握して(?:いません|おりません)|認識して(?:いません|おりません)|馴染みがありません|心当たりが(?:ありません|ございません)|確認できません(?:でした)?|見当たりません|存在しません|見つかりません(?:でした)?|見つけられません(?:でした)?|存在しない)`,
  String.raw`${ABOUT_JA}[^。]{0,24}?(?:情報|データ|詳細|記録|知識)[^。]{0,16}?(?:ありません|見つかりません|見つけられません|見つけることができ|見当たり|持って(?:いません|おりません)|持ち合わせて|ございません|確認でき(?:ません|ず))|${ABOUT_JA}(?:は)?[^。]{0,10}?(?:知りません|存じません|わかりません|分かりません)`,
  String.raw`${NAME_PATTERN}${KIND_JA}(?:は|が)、?[^。]{0,14}?(?:知識|データ|情報|学習)[^。]{0,12}?(?:含まれて(?:いません|おりません)|ありません)`,
  String.raw`(?:そのような|その|この)(?:名前の)?(?:ブランド|会社|企業|名前|名称)(?:は|を)[^。]{0,10}?(?:知りません|存じません|存じ上げ|聞いたことがありません|把握していません|確認できません)`,
);

/** Speaker or search, negation, word of knowing; `isOfAnother` excludes "better than X". */
interface IgnoranceRule {
  speaks: RegExp;
  denies: RegExp;
  isOfAnother: RegExp;
}

const KNOWS_EN =
  "(?:know|knowledge|familiar|aware|information|info|data|details|records?|heard|recogni[sz]e|identify|verify|confirm|sources|recall|training|exists?|clue|radar|idea|determine|anything)";
const KNOWS_DE =
  "(?:kenn\\w*|bekannt\\w*|weiß|wissen\\w*|gehort|informationen|daten|angaben|gelaufig|vertraut|gefunden|finden?|sagen|begriff|schirm|belege|hinweise|ahnung)";
const KNOWS_FR = "(?:connais\\w*|informations?|donnees?|evoque|parler|famili\\w+|trouver?|trace|idee|reconnais|sais)";
const KNOWS_ES =
  "(?:conozco|conocid\\w*|informacion|datos|familiar|suena|oido|constancia|reconozco|encuentr\\w*|idea|dice)";

export const IGNORANCE_RULES: readonly IgnoranceRule[] = [
  {
    speaks: /\b(?:i|my|me|we|our|there|search|online|publicly)\b/,
    denies: new RegExp(
      String.raw`(?:n't|\bnot|\bno|\bnever|\bnothing|\bwithout|\black\w*)(?: [\w,'-]+){0,5}? ${KNOWS_EN}\b`,
    ),
    isOfAnother: new RegExp(
      String.raw`(?<!\b(?:heard|know|aware|knowledge|record|mention|trace|name) )\b(?:of|than|as|like|from|by|with) (?:the )?${NAME_PATTERN}|${NAME_PATTERN}'s|\b(?:as far as|that) i know`,
    ),
  },
  {
    speaks: /\b(?:ich|mir|mich|meine?[rnms]?|es gibt)\b/,
    denies: new RegExp(
      String.raw`\b(?:nichts?|keine?\w*|nie)(?: [\w-]+){0,6}? ${KNOWS_DE}\b|\b${KNOWS_DE}(?: \w+){0,4} (?:nichts?|keine?\w*|nie)\b`,
    ),
    isOfAnother: new RegExp(
      String.raw`\b(?:bei|als|wie) ${NAME_PATTERN}|(?<!^)\bvon ${NAME_PATTERN}(?! (?:\w+ ){0,3}(?:weiß|gehort))`,
    ),
  },
  {
    speaks: /\b(?:je|j|m|me|mon|ma|mes|moi)\b/,
    denies: new RegExp(
      String.raw`\b(?:pas|rien|aucune?|jamais)(?: [\w'-]+){0,6}?[ ']${KNOWS_FR}\b|\b${KNOWS_FR}(?: \w+)? (?:pas|rien|aucune?)\b`,
    ),
    isOfAnother: new RegExp(
      String.raw`(?<!\b(?:parler|connaissance|trace|nom) )\b(?:de|du|des|chez|que|a) (?:la marque )?${NAME_PATTERN}`,
    ),
  },
  {
    speaks: /\b(?:me|mi|mis|yo|conozco|tengo|dispongo|encuentro|reconozco|hay)\b/,
    denies: new RegExp(String.raw`\b(?:no|nada|ningun\w*|nunca)(?: \w+){0,6}? ${KNOWS_ES}\b`),
    isOfAnother: new RegExp(
      String.raw`(?<!\b(?:hablar|constancia|nombre) )\b(?:de|que|en|con|a) (?:la marca )?${NAME_PATTERN}`,
    ),
  },
  {
    speaks: /./,
    denies:
      /(?:情報|データ|知識|詳細|記録)[^。]{0,10}(?:なく|なし|ない|ありません|おりません|できません|いません)|(?:確認|把握|認識|特定)(?:が)?(?:でき|して)(?:て)?(?:い|おり)?(?:ません|ない)|回答できません/,
    isOfAnother: new RegExp(`${NAME_PATTERN}(?:の|より|ほど)`),
  },
];

/** One-word answers to a prompt that asks whether the name is known. */
export const LEADING_NO_PATTERN = combinePatterns(
  String.raw`^(?:unfortunately|sorry|i'm sorry|i'm afraid|honestly|leider|tut mir leid|desolee?|malheureusement|lo siento|lamentablemente|申し訳ありませんが|申し訳ございませんが|残念ながら)?[,、]? ?(?:no|nope|not really|nein|non|いいえ|いえ)(?:[,.!;。、]| ?[–—]|$)`,
);
export const LEADING_YES_PATTERN = combinePatterns(
  String.raw`^(?:yes|yeah|yep|sure|certainly|of course|absolutely|ja|klar|naturlich|sicher|oui|bien sur|tout a fait|si|claro|por supuesto|はい|ええ|もちろん)(?:[,.!;。、]| ?[–—]|$)`,
);

/** The name is little known; the following sentences decide. */
export const NAME_LITTLE_KNOWN_PATTERN = combinePatterns(
  String.raw`${NAME_PATTERN}"? (?:is|was)(?: not|n't) (?:currently )?(?:a |an )?(?:very |widely |well |particularly |especially )?[ -]?(?:well-|widely )?(?:known|recogni[sz]ed)(?! for)`,
  String.raw`${NAME_PATTERN}"? ist (?:\w+ )?(?:nicht|keine?)(?: \w+){0,2} (?:bekannte?|verbreitete?)`,
  String.raw`${NAME_PATTERN}"? n'est pas (?:une marque )?(?:tres |largement )?(?:connue?|reconnue?)`,
  String.raw`${NAME_PATTERN}"? no es (?:una marca )?(?:muy |ampliamente )?(?:conocida|reconocida)`,
  String.raw`${NAME_PATTERN}${KIND_JA}(?:は|、)[^。]{0,20}(?:広く|あまり|一般的に)(?:は)?知られて(?:いません|いない|おらず)`,
);

/** The answer takes the name for another name, or for several. */
export const NAME_CONFUSED_PATTERN = combinePatterns(
  String.raw`^(?:an?|eine?|une?|una?) ${NAME_PATTERN} (?:is|ist|est|es) (?:an?|eine?|une?|una?)\b|\bare you asking about(?! ${NAME_PATTERN})|\b(?:did|do) you (?:perhaps |maybe |possibly )?mean(?! ${NAME_PATTERN})|\bclosest (?:match|brand|name)|\b(?:perhaps|maybe|possibly|could it be)(?: that)? you(?:'re| are| were|'ve| have)? (?:mean|meant|thinking|referring|looking|asking)|\bcan mean (?:several|different|multiple|many)|\b(?:might|may|could) (?:you )?(?:be|have been) (?:thinking of|referring to|confusing|looking for|mixing|a (?:typo|misspelling))|\byou (?:may|might|could) (?:have )?mean|\bare you (?:perhaps |maybe )?(?:referring to|thinking of|looking for)(?! ${NAME_PATTERN})|\bif you (?:meant|mean)\b|\b(?:could|can|may|might) (?:refer|be referring) to (?:several|different|multiple|a (?:few|number|variety)|many|various|any)|\brefers to (?:several|multiple|different)|\bmisspell|\bmistyp|\ba typo\b|\bthere are (?:several|multiple|various) (?:\w+ )?(?:brands|companies|things|entities|people|places) (?:called|named|with)`,
  String.raw`\bdass (?:du|sie) .{1,40} mein(?:st|en)|\bmein(?:st|test|en|ten) (?:du|sie)(?! ${NAME_PATTERN})|\b(?:du meinst|sie meinen|du denkst) (?:wahrscheinlich|vermutlich|wohl|vielleicht|moglicherweise|sicher)|\b(?:vielleicht|moglicherweise|eventuell|evtl\.?) (?:meinst|meinen|meintest|meinten|denkst|denken)|\bverwechsel(?:st|n sie)\b|\bverwechslung\b|\btippfehler\b|\b(?:kann|konnte)(?: sich)?(?: auf)? (?:mehrere|verschiedene)|\bmehrdeutig`,
  String.raw`\b(?:vouliez-vous|voulais-tu|voulez-vous|veux-tu|tu veux|vous voulez) (?:dire|parler)|\b(?:tu|vous) (?:voulais|vouliez|pensais|pensiez|penses|pensez|parles|parlez) (?:peut-etre|sans doute|plutot)|\bpeut-etre (?:pensez|pensiez|voulez|vouliez|parlez|penses|pensais|voulais)|\bfaute de frappe\b|\bconfond(?:ez|s)\b|\b(?:peut|pourrait) (?:designer|faire reference a|se referer a) (?:plusieurs|differente?s)`,
  String.raw`\b(?:quisiste|quiso|querias|queria|quieres|quiere) decir|\bte refer(?:iras|ias) a(?! ${NAME_PATTERN})|\bte refieres (?:a|quizas?|tal vez)(?! ${NAME_PATTERN})|\b(?:tal vez|quizas?|a lo mejor) (?:te refieres|te refieras|se refiera|quieras|quisiste|querias|estes|estas) ?(?:decir|pensando|a)|\berror (?:tipografico|de escritura|ortografico)|\b(?:estas|estes) confundiendo|\bpuede referirse a (?:varias|varios|distint[oa]s|diferentes)`,
  String.raw`(?<!${NAME_PLACEHOLDER})(?:のことでしょうか|のことですか|のことではありませんか|ではないでしょうか|をお探しですか)|の(?:打ち)?間違い|の誤りでは|お間違い|誤記|タイプミス|入力ミス|勘違い|混同され|複数の(?:意味|もの|企業|ブランド|可能性)`,
);

const PRAISE_AHEAD = String.raw`(?:very |really |quite |pretty )?(?:good|great|better|best|solid|strong|nice|perfect|decent|smart|safe|excellent|worthwhile|popular|fine|suitable|interesting|reasonable|viable|favou?rite|bit|little|match|fit|option|choice)`;

/** The answer guesses: "X appears to be a", "bei X könnte es sich um … handeln". */
export const NAME_GUESSED_PATTERN = combinePatterns(
  String.raw`(?:${NAME_PATTERN}"?|\bit|\bthis|\bthat|\bthey|the (?:name|brand|company))(?: \w+)? (?:appears?|seems?|sounds?|looks?) (?:to be|like) (?:it (?:could|might|may) be )?(?:a|an|some|one|related|associated|the name)\b(?! ${PRAISE_AHEAD})`,
  String.raw`(?:${NAME_PATTERN}"?|\bit|\bthis|\bthat)(?: (?:brand|company|name))? (?:could|might|may)(?: well| possibly| also| perhaps)? be (?:a|an|some|one|related|associated|the name|fictional|new)\b(?! ${PRAISE_AHEAD})`,
  String.raw`(?:${NAME_PATTERN}"?|\bit)(?: is|'s) (?:possibly|perhaps|presumably|probably|likely) (?:a|an|one|the name)\b(?! ${PRAISE_AHEAD})`,
  String.raw`\b(?:possible|could be|may be|might be|perhaps|maybe|conceivable)(?: that)? ${NAME_PATTERN} (?:is|was) (?:a|an|some|one)\b(?! ${PRAISE_AHEAD})`,
  String.raw`\b(?:moglicherweise|vielleicht|vermutlich|wahrscheinlich|eventuell) (?:ist ${NAME_PATTERN} eine?|handelt)|\bmoglich, dass ${NAME_PATTERN}|\bil (?:se peut|est possible) que ${NAME_PATTERN}|\b(?:es posible|puede|quizas?|tal vez) (?:que )?${NAME_PATTERN} sea\b`,
  String.raw`\b(?:based on|judging (?:by|from)|going by|from) the name|\bi(?:'d| would)? (?:assume|guess|imagine|suspect|presume)|\bpresumably\b|\bmy (?:best )?guess\b|${NAME_PATTERN}"? (?:may|might|could) (?:not )?(?:exist|be (?:fictional|fictitious|made up))|${NAME_PATTERN}"? (?:is|seems) (?:a )?(?:fictional|fictitious|made-up|invented)`,
  String.raw`${NAME_PATTERN}"?(?: \w+)? (?:scheint|konnte|durfte|mag)(?: \w+){0,3}? (?:ein|eine|einen)\b(?! (?:sehr )?(?:gute|bessere|interessante|solide|lohnende|starke|ideale|passende)).{0,80} (?:sein|handeln)\b|\b(?:es|dabei|hier)(?: \w+){0,2} (?:konnte|durfte|scheint)(?: es)? sich(?: \w+){0,2} um ein|\b(?:konnte|durfte|scheint) es sich(?: \w+){0,3} um ein|\bhandelt (?:es )?sich (?:vermutlich|moglicherweise|wahrscheinlich|wohl|vielleicht|anscheinend|offenbar) um|${NAME_PATTERN}"? ist (?:vermutlich|wahrscheinlich|moglicherweise|vielleicht|anscheinend|offenbar) (?:ein|eine)\b(?! (?:gute|bessere|sehr))|\bdem namen nach\b|\bder name (?:klingt|deutet|lasst)|\bklingt nach (?:einer?|einem)\b|\bich vermute\b`,
  String.raw`${NAME_PATTERN}"? (?:semble|parait|pourrait|doit)(?: \w+)? (?:etre|correspondre a|s'agir d')(?: ?une?\b| ?l')(?! (?:bon|bonne|meilleur|excellent|tres bon))|\b(?:il|ce|cela) (?:pourrait|semble|peut|doit) (?:s'agir|etre) (?:d'|une?\b)(?!une? ?bon)|\b(?:il s'agit|c'est|est) (?:probablement|peut-etre|sans doute|vraisemblablement) (?:d')?une?\b(?! (?:bon|bonne|meilleur))|\bd'apres (?:le|son) nom\b|\ba en juger par\b|\bje suppose\b`,
  String.raw`${NAME_PATTERN}"? (?:parece|podria|puede|debe)(?: \w+)? (?:ser|tratarse de)(?: una?\b| el\b| la\b)(?! (?:buen|buena|mejor|gran|excelente|muy buen))|\b(?:podria|puede|parece|debe) (?:tratarse|que se trat[ae]) de\b|(?:${NAME_PATTERN}"? es|\bes|\bsea|\bse trata de) (?:probablemente|posiblemente|quizas?|seguramente) una?\b(?! (?:buen|buena|mejor))|\bprobablemente sea una?\b|\bpor el nombre\b|\bsupongo\b`,
  String.raw`${NAME_PATTERN}${KIND_JA}(?:は|とは|、)?[^。]{0,50}?(?:ブランド|会社|企業|メーカー|製品|サービス|名称|名前|ソフト(?:ウェア)?|ツール|店|もの|アプリ|造語)(?:の(?:一つ|名前|名称))?(?:で(?:ある|はないか)?|だ)?(?:と(?:思われ|考えられ|推測|推察|思い)|かもしれ|の可能性|のよう|でしょう|らしい)`,
);

/** The answer defines the name: "X is a", "X was founded in". */
export const NAME_DEFINED = combinePatterns(
  String.raw`${NAME_PATTERN}"?(?: \([^)]*\))?,? (?:is|was|are|were)(?: (?:also|primarily|actually|best|widely|well|really|mainly))* (?:a|an|the|one of|known|famous|owned|based|headquartered|founded|among|part of)\b`,
  String.raw`${NAME_PATTERN}"?,? (?:makes|offers|produces|sells|manufactures|specializes|specialises|provides|develops|has been)\b|\b(?:founded|headquartered) (?:in|by)\b`,
  String.raw`${NAME_PATTERN}"?(?: \([^)]*\))?,? (?:ist|war|sind)(?: \w+)? (?:ein|eine|einer|eines|der|die|das|bekannt|vor allem|teil)\b|${NAME_PATTERN}"?(?: \w+){0,2} (?:wurde|bietet|stellt|produziert|verkauft|entwickelt|gehort)\b(?! nicht)|\bgegrundet\b`,
  String.raw`${NAME_PATTERN}"?(?: \([^)]*\))?,? (?:est|etait)(?: \w+)? (?:une?|la|le|l'|connue?|specialisee?|fondee?|reputee?|surtout|l'une?)\b|${NAME_PATTERN}"?,? (?:propose|fabrique|vend|produit|developpe|a ete fondee?)\b|\b(?:fondee?|creee?) en \d`,
  String.raw`${NAME_PATTERN}"?(?: \([^)]*\))?,? (?:es|fue|era)(?: \w+)? (?:una?|la|el|conocida|conocido|fundada|de las|de los)\b|${NAME_PATTERN}"?,? (?:ofrece|fabrica|vende|produce|desarrolla|fue fundada)\b|\bfundada en\b`,
  String.raw`${NAME_PATTERN}(?:（[^）]*）|\([^)]*\))?${KIND_JA}(?:は|とは)、?[^。]{2,120}?(?:です|である|であり|展開して|提供して|製造して|販売して|知られて|設立され|創業)`,
);
/** Definition with a pronoun for the name in the sentence before. */
export const PRONOUN_DEFINED = combinePatterns(
  String.raw`^(?:but |however,? )?(?:it|they|the (?:company|brand)|it's)(?:'s| is| was| are| makes| offers| sells| produces| specializes)\b(?! (?:possible|likely|not|unclear|hard|difficult))`,
  String.raw`^(?:aber )?(?:sie|es|die (?:marke|firma)|das unternehmen) (?:ist|wurde|bietet|stellt|gehort)\b(?! (?:moglich|nicht|unklar))`,
  String.raw`^(?:mais )?(?:elle|il|la marque|l'entreprise|c') ?(?:est|a ete|propose|fabrique|appartient)\b(?! (?:possible|difficile))`,
  String.raw`^(?:pero )?(?:la (?:marca|empresa)|es|fue|ofrece|fabrica) (?:una?|la|fundada|es|fue|ofrece|fabrica|conocida)\b`,
);

export const CONDITIONAL_CLAUSE =
  /(?:^|[ ,(])(?:if|whether|in case|assuming|unless|wenn|falls|ob|sofern|au cas ou|en caso)\b[^,]{0,300}$|^(?:si) [^,]{0,300}$|もし[^、]{0,300}$/u;

export const QUESTION_TO_USER_PATTERN = combinePatterns(
  String.raw`\b(?:could|can|would) you (?:please |kindly )?(?:provide|share|clarify|tell me (?:more|a bit)|give|specify|let me know|elaborate)`,
  String.raw`\b(?:kannst du|konntest du|konnen sie|konnten sie)(?: \w+)* (?:mir|mehr|genauer|naher).*\?`,
  String.raw`\b(?:pouvez-vous|pourriez-vous|peux-tu|pourrais-tu) (?:m'|me |preciser|donner|partager|indiquer)`,
  String.raw`\b(?:puedes|podrias|puede|podria) (?:darme|decirme|compartir|proporcionar|aclarar|indicarme|especificar)`,
  String.raw`(?:教えていただけますか|教えてもらえますか|教えてください。?$|お聞かせ(?:ください|いただけ))`,
);
