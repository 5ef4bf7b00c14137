/** Folded patterns from answers about invented names; aided prompts use awareness-words.ts. */
const ABOUT_EN = "(?:about|on|of|for|regarding|concerning)";

const BEFORE_NAME = {
  en: [
    String.raw`\bno (?:\w+ ){0,3}(?:information|info|mentions?|results?|details?|data|references?|records?|evidence|reviews?|sources?|listings?)(?: \w+){0,3}? (?:${ABOUT_EN.slice(3, -1)}|to)`,
    String.raw`\b(?:could|can|did|do|was|were|am)(?:n't| ?not)(?: be)?(?: able to)? (?:find|locate|see|identify|have|any)(?: \w+){0,5}? ${ABOUT_EN}`,
    String.raw`\b(?:am|'m|was|are|is)(?:n't| not) (?:\w+ )?(?:familiar with|aware of)`,
    String.raw`\bunfamiliar with`,
    String.raw`\b(?:nothing|little) (?:is |was |\w+ )?(?:known|found|published|available) ${ABOUT_EN}`,
    String.raw`\b(?:found|find|have|know) nothing ${ABOUT_EN}`,
    String.raw`\b(?:have|has|had|'ve)(?: never|n't| not) (?:\w+ )?heard (?:of|about)`,
    String.raw`\bno (?:such )?(?:brand|company|product|manufacturer|model) (?:called|named|by the name of)`,
    String.raw`\bnone of (?:\w+ ){1,6}(?:mentions?|lists?|names?|covers?|includes?)`,
  ],
  de: [
    String.raw`\bkeine (?:\w+ ){0,2}(?:informationen|angaben|ergebnisse|treffer|hinweise|daten|quellen|berichte|erwahnungen?) (?:zu|uber|zur|zum|fur|von)`,
    String.raw`\bkenne (?:ich )?(?:leider )?keine?n?`,
    String.raw`\b(?:keine?n?) (?:marke|firma|hersteller|anbieter|produkt) (?:namens|mit dem namen)`,
    String.raw`\bnicht (?:\w+ )?vertraut mit|\bnie von`,
  ],
  fr: [
    String.raw`\b(?:aucune?|pas d'|pas trouve d')\s?(?:\w+ ){0,2}(?:informations?|resultats?|mentions?|donnees?|details?|traces?) (?:fiables? )?(?:sur|concernant|pour|de|au sujet de)`,
    String.raw`\brien trouve (?:\w+ )?(?:sur|concernant|au sujet de|a propos de)`,
    String.raw`\bne connais pas(?: (?:de|d'))?`,
    String.raw`\baucune? (?:\w+ ){1,4}ne (?:mentionne|cite|evoque|reference|parle de)`,
    String.raw`\bpas (?:connaissance de|entendu parler de)|\bjamais entendu parler de`,
  ],
  es: [
    String.raw`\bno (?:\w+ ){0,3}(?:informacion|resultados|datos|referencias|menciones|detalles)(?: \w+)? (?:sobre|de|para|acerca de|relativos a)`,
    String.raw`\b(?:nada|ningun dato|ninguna informacion|ninguna mencion) (?:sobre|acerca de|de)`,
    String.raw`\bno conozco(?: (?:a|ninguna?))?|\bdesconozco`,
    String.raw`\bningun[oa]? (?:\w+ ){1,4}(?:menciona|cita|incluye)`,
    String.raw`\b(?:nunca|no) he oido hablar de`,
  ],
  it: [String.raw`\bnessuna? (?:\w+ ){0,2}(?:informazion[ei]|risultat[oi]) (?:su|per|riguardo a)`],
};

/** Count only if the name ends the clause: "I did not find X comfortable" is an opinion. */
const BEFORE_CLAUSE_END = [
  String.raw`\b(?:could|can|did|do)(?:n't| ?not)(?: be able to)? (?:find|locate|identify|recogni[sz]e|know(?: of)?)`,
  String.raw`\bnichts (?:\w+ )?(?:uber|zu|zur|zum|von)`,
  String.raw`\bno (?:he )?(?:encontre|encontrado|encuentro)(?: a)?`,
  String.raw`\b(?:n'ai|ne) (?:pas )?(?:trouve|trouve pas|reconnais pas)`,
];

/** Words in "… about a brand called X". `FILLER_WORDS_PATTERN` adds the elisions l' and d'. */
const FILLER_WORDS_TEXT = `
the a an any brand company product manufacturer model name called named specific
marke firma die der das keine hersteller namens mit dem namen anbieter unternehmen
le la les une un de marque entreprise banque enseigne societe site nommee nomme appelee appele du nom
el una marca empresa tienda llamada llamado ninguna
`;

/** Patterns after the name: "X is not mentioned", "X does not appear". */
const AFTER_NAME = {
  en: [
    String.raw`(?:,? (?:itself|however),?)? (?:(?:is|was|are|were)(?: not|n't)|(?:does|did)(?: not|n't)) (?:\w+ )?(?:mentioned|listed|found|appear|show up|come up|referenced|included)\b`,
  ],
  de: [
    String.raw` (?:wird|wurde) (?:\w+ )?nicht (?:erwahnt|gefunden)\b`,
    String.raw` (?:liegen|liegt|habe|haben|gibt|kann|konnte|finde|fand) (?:(?:mir|uns|ich|wir|es|leider|derzeit|bisher|aktuell) ){0,3}(?:keine?n?|nichts)\b(?![^.!?\n]{0,40}\b(?:nachteil|problem|grund|zweifel|mangel))[^.!?\n]{0,40}(?:informationen|angaben|daten|ergebnisse|treffer|hinweise|berichte|gefunden|finden|sagen|vor\b)`,
    String.raw` (?:ist mir (?:\w+ )?(?:nicht bekannt|unbekannt)|kenne ich (?:\w+ )?nicht|taucht (?:\w+ ){0,4}nicht|kommt (?:\w+ ){0,4}nicht vor|sagt mir nichts)`,
  ],
  fr: [
    String.raw` (?:n'est (?:pas |jamais )(?:mentionnee?|citee?|repertoriee?|referencee?)|n'apparait pas|ne figure pas|m'est inconnue?)`,
  ],
  es: [String.raw` (?:no aparece|no se menciona|no figura|no consta|no me suena|me es desconocid[oa])`],
  ja: [
    String.raw`(?:という[^。、\n]{0,16})?(?:に関する|に関して|について|の)(?:の|は)?[^。\n]{0,12}?(?:情報|記録|データ|詳細|結果)[^。\n]{0,8}?(?:見つか|見つけ|見当た|あり|ござい|確認でき|持ち合わせ|持って)[^。\n]{0,6}?(?:ません|ない|なかった|ず)`,
    String.raw`(?:という[^。、\n]{0,16})?(?:は|が|を|も|について(?:は)?)、?(?:見つか|見つけられ|見当た|存じ|知り|知ら|聞いたことがあり|確認でき|掲載されてい|記載されてい|含まれてい)[^。\n]{0,8}?(?:ません|ない|なかった)`,
  ],
};

const joinPatterns = (patterns: Record<string, string[]>): string => Object.values(patterns).flat().join("|");

export const ABSENCE_BEFORE_NAME_PATTERN = new RegExp(
  `${joinPatterns(BEFORE_NAME)}|${BEFORE_CLAUSE_END.join("|")}`,
  "g",
);
export const CLAUSE_END_ABSENCE_PATTERN = new RegExp(`^(?:${BEFORE_CLAUSE_END.join("|")})$`);
export const ABSENCE_AFTER_NAME_PATTERN = new RegExp(
  String.raw`^["'”*]*\s?(?:\([^)\n]{0,30}\))?(?:${joinPatterns(AFTER_NAME)})`,
);
export const FILLER_WORDS_PATTERN = new RegExp(
  String.raw`^[\s"'“”„«*:]*(?:(?:${FILLER_WORDS_TEXT.trim().split(/\s+/).join("|")})[\s"'“”„«*:]+|[ld]'[\s"'“”„«*:]*)*$`,
);
/** End of a clause, or a phrase that says where the name was not found. */
export const CLAUSE_END_PATTERN =
  /^["'”»*]*(?:$|\s*[.,;:!?)\n。]|\s+(?:in|on|among|within|anywhere|listed|mentioned|under|at|as|or|and|but|either|from|through|during|while|gefunden|finden|bekannt|vor|en|dans|parmi|entre|ni|y|et|o|ou|pero|mais)\b)/;
/** Matches a word that every statement of absence contains. */
export const ABSENCE_HINT_PATTERN =
  /n(?:o(?:[ t]|ne )|'t|ever |icht|ie |essun|ada |ingun|unca)|unfamiliar|kein|aucun|pas |rien |jamais|inconnu|descono|ません|ない|なかった/g;
