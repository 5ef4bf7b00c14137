import type { KnownLanguage } from "../page-facts/languages.ts";

/** Questions even without a question mark. */
const QUESTION_PATTERNS: Readonly<Record<KnownLanguage, RegExp>> = {
  en: /^(?:what|how|why|when|where|who|which)(?:'s|\b)(?! we\b)/i,
  de: /^(?:was|wie|warum|weshalb|wann|wo|woran|wer|welche[rsnm]?|wieso|wie viel)(?![\p{L}])/iu,
  fr: /^(?:comment|pourquoi|quand|où|qui|quel(?:le)?s?|combien|qu'est-ce|qu’est-ce|est-ce)(?![\p{L}])/iu,
  es: /^¿|^(?:qué|cómo|por qué|cuándo|dónde|quién(?:es)?|cuál(?:es)?|cuánt[oa]s?)(?![\p{L}])/iu,
  ja: /(?:とは|か|の|何)$|なぜ|どう|どの|どこ|いつ|いくら/,
};

export const isQuestion = (heading: string, language: KnownLanguage | null) =>
  /[?？]\s*$/.test(heading.slice(-5)) ||
  (language !== null && QUESTION_PATTERNS[language].test(heading.trim().slice(0, 100)));

/** Announces an answer instead of giving it. */
export const ANNOUNCING_OPENING_PATTERN =
  /^(?:in this (?:article|guide|post|tutorial|blog|page)|this (?:article|guide|post|page) (?:explains|covers|shows|looks)|welcome to|have you ever|are you (?:looking|wondering)|in today[’']s|read on|in diesem (?:artikel|beitrag|ratgeber|blog)|willkommen|sie (?:suchen|fragen)|dans cet? (?:article|guide)|bienvenue|vous (?:cherchez|vous demandez)|en est[ea] (?:artículo|guía|entrada|post)|bienvenid[oa]s?|この記事では|本記事では|今回は|ようこそ)/i;

/** Refers to preceding text; impersonal openings ("it is important", "this year") do not. */
export const REFERRING_OPENINGS: Readonly<Record<KnownLanguage, RegExp>> = {
  en: /^(?:(?:they|he|she|its|their)\b|(?:this|these|those)\b(?! (?:year|quarter|month|week|weekend|season|spring|summer|autumn|fall|winter|morning|afternoon|evening|time|decade|century|days)\b)|that (?:is|was|makes|means|gives)\b|it\b(?!(?:['’]s| is| was| can be) (?:\w+ ){0,1}(?:important|possible|worth|best|better|easy|easier|hard|harder|difficult|safe|safer|time|clear|true|necessary|essential|no secret|recommended|a good idea|common|advisable)| depends| takes| costs))/i,
  de: /^(?:er|damit|dadurch|dabei|dazu|hiermit|dies(?:e[rsmn]?)?(?! (?:Jahr|Quartal|Monat|Woche|Wochenende|Saison|Frühjahr|Frühling|Sommer|Herbst|Winter|Morgen|Abend|Tage|Mal)(?!\p{L})))(?![\p{L}])/iu,
  fr: /^(?:(?:elle|ils|elles|celui-ci|celle-ci|cela|ça)(?![\p{L}])|(?:ce|cet|cette|ces)(?![\p{L}])(?! (?:année|trimestre|mois|semaine|week-end|saison|printemps|été|automne|hiver|matin|soir|fois|jours)(?!\p{L}))|il (?!y a|faut|existe|est (?:possible|important|conseillé|recommandé)))/iu,
  es: /^(?:est[eao]s?(?! (?:año|trimestre|mes|semana|fin de semana|temporada|primavera|verano|otoño|invierno|mañana|tarde|noche|vez|días)(?!\p{L}))|es[ea]s?|eso|ello|ell[oa]s)(?![\p{L}])/iu,
  ja: /^(?:これ|それ|この|その|こちら|そちら|同社|同製品|彼)/,
};

export const DEFINITION_PATTERN: Readonly<Record<KnownLanguage, RegExp>> = {
  en: /\b(?:is|are) (?:an?|the|one of|our)\b|\b(?:lets|helps|enables|allows) you\b|\b(?:refers to|means|describes)\b/i,
  de: /(?<!\p{L})(?:ist|sind) (?:ein|eine|einer|eines|der|die|das|unser|unsere)(?!\p{L})|(?<!\p{L})(?:bezeichnet|ermöglicht|bedeutet|beschreibt)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:est|sont) (?:une?|le|la|l['’]|des|les|notre)|(?<!\p{L})(?:désigne|permet(?:tent)? (?:de|d['’])|signifie)/iu,
  es: /(?<!\p{L})(?:es|son) (?:una?|el|la|los|las|unos|unas|nuestr[oa]s?)(?!\p{L})|(?<!\p{L})(?:permiten?|significa|se refiere)(?!\p{L})/iu,
  ja: /とは|は[^。]{1,80}(?:です|である|ます|できる)/,
};
