import { wordList } from "../../words.ts";

/**
 * Folded verbs that a name takes right behind it ("Linear offers"), in the third person, and no noun's plural: "Visa rules" and "Box
 * plots" are no signs.
 */
export const NAME_VERBS = wordList("name_verbs");
/** Folded words that may stand between a name and its verb. */
export const NAME_ADVERBS = wordList("name_adverbs");

/** Japanese particles and marks that stand behind a noun; "な" makes an adjective of it ("シャープな輪郭"). */
export const NAME_PARTICLES = /^\s?(?:は|が|の|を|も|なら|では|でも|には|と|や|へ|から|より|、|製)/;
export const MAKES_ADJECTIVE = /^な(?!ら)/;
