/**
 * Folded verbs that a name takes right behind it ("Linear offers"), in the third person, and no noun's plural: "Visa rules" and "Box
 * plots" are no signs. Kept by hand for what answers say of brands; forms as in Merriam-Webster, Duden, Le Robert and the Diccionario de
 * la lengua española.
 */
const VERBS = `
is isn't was wasn't has hasn't had does doesn't did can can't could will won't would may might should remains seems feels looks
offers provides sells gives makes lets keeps allows includes comes costs charges delivers ships supports uses runs works wins leads
beats tops excels stands focuses specializes integrates combines announced launched released introduced acquired says claims
recommends requires needs lacks helps handles brings adds takes gets goes starts begins became belongs appears

ist war hat hatte bietet kostet verlangt verkauft liefert gibt macht kommt bleibt wird kann konnte gilt gehort steht liegt lasst
uberzeugt punktet eignet richtet setzt nutzt unterstutzt ermoglicht enthalt braucht gewinnt fuhrt zahlt produziert baut stellt
verfugt wirkt scheint verspricht lohnt passt

est n'est etait n'a avait offre propose vend donne permet coute reste fait peut sera convient dispose possede garantit livre mise
domine arrive semble couvre fournit inclut demande facture fabrique compte s'adresse s'impose s'ouvre

es era fue tiene tenia ofrece vende da permite cuesta cobra sigue hace puede sera resulta dispone incluye entrega lidera gana parece
cubre necesita fabrica destaca funciona suele
`;

/** Folded words that may stand between a name and its verb. */
const ADVERBS = `
also now still often usually always generally only really even already currently probably typically itself
auch jetzt noch oft meist immer nur selbst
aussi toujours souvent
tambien siempre ya ademas solo
`;

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const NAME_VERBS = setOf(VERBS);
export const NAME_ADVERBS = setOf(ADVERBS);

/** Japanese particles and marks that stand behind a noun; "な" makes an adjective of it ("シャープな輪郭"). */
export const NAME_PARTICLES = /^\s?(?:は|が|の|を|も|なら|では|でも|には|と|や|へ|から|より|、|製)/;
export const MAKES_ADJECTIVE = /^な(?!ら)/;
