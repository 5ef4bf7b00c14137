import { describe, expect, test } from "vitest";
import { classifyAwareness } from "../../core/reading/awareness/classify-awareness.ts";
import type { Awareness } from "../../core/reading/capture.ts";
import { MODEL_LIKE_ANSWERS } from "./awareness-answers.ts";

type Case = [verdict: Awareness["verdict"], answer: string];

/** Cases with the deciding sentence between bars. */
function holds(name: string, category: string, cases: Case[]): void {
  test.each(cases)("%s: %s", (verdict, marked) => {
    const [before = "", sentence, after = ""] = marked.split("|");
    const text = before + (sentence ?? "") + after;
    const read = classifyAwareness(text, { name, category });
    const rests = sentence === undefined ? "" : sentence;
    expect([read.verdict, text.slice(read.start, read.end)]).toEqual([verdict, rests]);
  });
}

describe("English", () => {
  holds("Selav", "running shoes", [
    ["recognised", "|Selav is a Swiss running shoe brand.| It was founded in 2010."],
    ["recognised", "Yes! |**Selav** is known for cushioned trail shoes.|"],
    ["recognised", "|Yes, I know Selav.|"],
    ["recognised", "|As of my last update, Selav is one of the larger makers of running shoes.|"],
    ["recognised", "|Selav was founded in 1990 in Ohio.|"],
    ["recognised", "|Selav makes light shoes for trails.| I'm not familiar with Selav's latest model, though."],
    [
      "recognised",
      "I don't have personal experience with shoes, but I can share what I know. |Selav is a German company.|",
    ],
    ["recognised", "|While I don't have detailed information about Selav, it is a well-known brand of running shoes.|"],
    ["recognised", "|Selav is a maker of running shoes, but I have no information about Selav after 2023.|"],
    ["recognised", "## Selav\n\n|Selav (founded 1990) is a brand from Ohio.|"],
    ["recognised", "Selav is not widely known outside Europe. |It was founded in 1990 and makes trail shoes.|"],
    ["recognised", "|Selav is probably the best known brand of trail shoes.|"],
    ["recognised", "|Selav could be a good choice for beginners.|"],
    ["recognised", "|Selav seems to be popular among runners.|"],
    ["recognised", "|Selav's shoes are light and last long.|"],
    ["recognised", "What is Selav? |A maker of running shoes from Ohio.|"],
    ["recognised", "|Selav, not to be confused with Selva, is a running brand.|"],
    ["recognised", "|I don't have prices for Selav.|"],
    ["recognised", "|Selav offers no refunds, and I couldn't find any information about its warranty.|"],
    ["not_recognised", "|I'm not familiar with Selav.|"],
    ["not_recognised", "|I'm not familiar with a running shoe brand called “Selav”.| Could you tell me more?"],
    ["not_recognised", "|I’m not personally familiar with Selav as a running brand.|"],
    ["not_recognised", "|As of my knowledge cutoff, I have no information about a brand named Selav.|"],
    ["not_recognised", "|I don't have any specific information about Selav in my training data.|"],
    ["not_recognised", "|I couldn't find any reliable information on Selav.| It may be a small or new brand."],
    ["not_recognised", "|I'm not aware of any company in the running shoe space called Selav.|"],
    ["not_recognised", "|There is no widely known running shoe brand called Selav.|"],
    ["not_recognised", "|Selav isn't a brand I recognize.|"],
    ["not_recognised", "|Selav doesn't ring a bell.|"],
    ["not_recognised", '|"Selav" does not appear to be a well-known brand.|'],
    ["not_recognised", "|No, I haven't heard of Selav.|"],
    ["not_recognised", "|No.| If it is new, I may not know it."],
    ["not_recognised", "|I've never heard of it.|"],
    ["not_recognised", "|I'm not familiar with that brand.| If Selav is a new company, I may lack data."],
    ["not_recognised", "|I'm not familiar with Selav.| Did you mean Salomon?"],
    ["not_recognised", "|Selav appears to be a company that makes shoes.| Selav is a brand for runners."],
    ["not_recognised", "|Based on the name, Selav could be a fashion label.|"],
    ["not_recognised", "|It sounds like a skincare line.|"],
    ["not_recognised", "|Selav is likely a small local brand.|"],
    ["not_recognised", "|Selav is not a widely recognized brand.|"],
    ["not_recognised", "|Could you provide more context about Selav?|"],
    ["not_recognised", "I can't help with that."],
    ["not_recognised", ""],
    ["confused", "|Did you mean Salomon?| Salomon is a French brand."],
    ["confused", "|Are you perhaps thinking of Salomon?|"],
    ["confused", "|You may mean Salomon, the French brand.|"],
    ["confused", "|Selav could refer to several things.| Selav is a surname, and a place."],
    ["confused", "|Selav is a river in Slovenia.|"],
    ["confused", "|Selav is a Swedish metal band.|"],
    ["confused", "|Selav is a fintech company that offers bank accounts.|"],
    ["confused", "|It seems there might be a typo in Selav.|"],
    [
      "not_recognised",
      "|I'm not aware of any widely recognized company or brand named \"Selav\" as of my last update.| It's possible that it's new.",
    ],
    ["not_recognised", "|I don't have any record of a brand called Selav.| It could be a local one."],
    ["not_recognised", "|Selav isn't something I have information on.|"],
    ["not_recognised", "|I don't have information about that specific brand.|"],
    ["not_recognised", "|There isn't much publicly available information about Selav.|"],
    ["not_recognised", "|I'm sorry, but I'm not able to find information about Selav.|"],
    ["not_recognised", "|I was unable to find any details on Selav.|"],
    ["not_recognised", "|To my knowledge, there's no prominent brand named Selav in running.|"],
    ["not_recognised", "|Selav isn't a name I'm familiar with.|"],
    ["not_recognised", "|Selav is a brand I'm unfamiliar with.|"],
    ["not_recognised", "|I don't think Selav is an established brand.|"],
    ["not_recognised", "|My training data doesn't include any information about Selav.|"],
    ["not_recognised", "|I'm not sure what Selav is.|"],
    ["recognised", "|I don't think Selav is a good choice for beginners.|"],
    ["recognised", "|I'm not sure which Selav shoe suits you.|"],
    ["recognised", "|Selav is a brand I've never regretted buying.|"],
    ["recognised", "|Selav: a Swiss brand for trail runners.|"],
    ["recognised", "|There isn't much information about the prices of Selav.|"],
    ["recognised", "|Founded in 2015, Selav is a relatively new brand of running shoes.|"],
    ["recognised", "|Selav is a company in the river city of Portland.|"],
    ["confused", "|Do you mean Salomon?|"],
    ["confused", "|The closest brand I can think of is Salomon.|"],
    ["confused", "|Selav is a Turkish soap opera.|"],
    ["confused", "|Selav is a word for waterfall in Kurdish.|"],
  ]);
});

describe("German", () => {
  holds("Selav", "Laufschuhe", [
    ["recognised", "|Selav ist eine Schweizer Marke für Laufschuhe.|"],
    ["recognised", "Ja, klar! |Selav ist vor allem für leichte Schuhe bekannt.|"],
    ["recognised", "|Ja, Selav kenne ich.|"],
    ["recognised", "|Selav wurde 1990 in Ohio gegründet.|"],
    ["recognised", "|Selav könnte eine gute Wahl für Anfänger sein.|"],
    ["recognised", "|Selav bietet leichte Laufschuhe an.| Zu den Preisen von Selav habe ich keine Informationen."],
    ["recognised", "|Selav macht Schuhe, die man in Deutschland kaum kennt.|"],
    ["recognised", "|Selav, nicht zu verwechseln mit Selva, ist eine Laufmarke.|"],
    ["recognised", "|Ich habe keine genauen Informationen zu Selav, aber es ist eine bekannte Laufmarke.|"],
    ["not_recognised", "|Selav kenne ich leider nicht.|"],
    ["not_recognised", "|Ich kenne die Marke Selav nicht.|"],
    ["not_recognised", "|Ich kenne keine Marke namens Selav.|"],
    ["not_recognised", "|Selav ist mir nicht bekannt.|"],
    ["not_recognised", "|Die Marke „Selav“ ist mir leider unbekannt.|"],
    ["not_recognised", "|Mir ist keine Laufschuhmarke mit dem Namen Selav bekannt.|"],
    ["not_recognised", "|Selav sagt mir nichts.|"],
    ["not_recognised", "|Ich habe leider keine Informationen über Selav.|"],
    ["not_recognised", "|Mir liegen keine verlässlichen Informationen zu Selav vor.|"],
    ["not_recognised", "|Mit Selav bin ich nicht vertraut.|"],
    ["not_recognised", "|Nein, von Selav habe ich noch nie gehört.|"],
    ["not_recognised", "|Über die Marke Selav konnte ich nichts finden.|"],
    ["not_recognised", "|Ich konnte nichts über Selav finden.|"],
    ["not_recognised", "|Bei Selav könnte es sich um ein kleines Unternehmen handeln.|"],
    ["not_recognised", "|Selav scheint eine Marke für Schuhe zu sein.|"],
    ["not_recognised", "|Dem Namen nach ist Selav ein Modelabel.|"],
    ["not_recognised", "|Selav ist vermutlich ein kleiner Anbieter.|"],
    ["not_recognised", "|Kannst du mir mehr über Selav sagen?|"],
    ["confused", "|Meinst du vielleicht Salomon?|"],
    ["confused", "|Möglicherweise meinen Sie Salomon, eine französische Marke.|"],
    ["confused", "|Selav ist ein Fluss in Slowenien.|"],
    ["confused", "|Selav ist eine schwedische Rockband.|"],
    ["confused", "|Selav ist ein Versicherungsunternehmen aus Köln.|"],
    ["not_recognised", "|Leider habe ich zu „Selav“ keine gesicherten Informationen gefunden.|"],
    ["not_recognised", "|Zu Selav liegen mir keine Informationen vor.|"],
    ["not_recognised", "|Selav ist keine mir bekannte Marke.|"],
    ["not_recognised", "|Ich bin nicht sicher, welche Firma du mit Selav meinst.|"],
    ["recognised", "|Selav ist eine eher unbekannte Marke aus Österreich.|"],
    ["recognised", "|Ich bin nicht sicher, ob Selav zu dir passt.|"],
    ["recognised", "|Keine andere Marke ist so leicht wie Selav.|"],
    ["confused", "|Verwechselst du das mit Salomon?|"],
    ["confused", "|Selav ist ein Dorf in der Türkei.|"],
    ["recognised", "|Ich habe keine Informationen über die Preise von Selav.|"],
  ]);
});

describe("French", () => {
  holds("Selav", "chaussures de course", [
    ["recognised", "|Selav est une marque suisse de chaussures de course.|"],
    ["recognised", "Oui ! |Selav est connue pour ses chaussures légères.|"],
    ["recognised", "|Oui, je connais Selav.|"],
    ["recognised", "|Selav a été fondée en 1990.|"],
    ["recognised", "|Selav propose des chaussures légères.| Je ne connais pas les prix de Selav."],
    ["recognised", "|Selav pourrait être un bon choix pour débuter.|"],
    ["recognised", "|À ma connaissance, Selav est l'une des grandes marques de trail.|"],
    ["recognised", "|Je n'ai pas d'informations précises sur Selav, mais c'est une marque reconnue de chaussures.|"],
    ["recognised", "|Les chaussures de Selav durent longtemps.|"],
    ["not_recognised", "|Je ne connais pas Selav.|"],
    ["not_recognised", "|Je ne connais pas la marque de chaussures « Selav ».|"],
    ["not_recognised", "|Je ne suis pas familier avec Selav.|"],
    ["not_recognised", "|Je n’ai pas d’informations sur Selav.|"],
    ["not_recognised", "|Je n'ai aucune information fiable concernant la marque Selav.|"],
    ["not_recognised", "|Je n'ai pas trouvé d'informations sur une marque appelée Selav.|"],
    ["not_recognised", "|Selav ne me dit rien.|"],
    ["not_recognised", "|Non, je n'ai jamais entendu parler de Selav.|"],
    ["not_recognised", "|Il n'existe aucune marque connue du nom de Selav.|"],
    ["not_recognised", "|Désolé, je ne connais pas cette marque.|"],
    ["not_recognised", "|Selav semble être une petite marque.|"],
    ["not_recognised", "|Il pourrait s'agir d'une jeune entreprise.|"],
    ["not_recognised", "|Selav est probablement une marque locale.|"],
    ["not_recognised", "|D'après son nom, Selav est une marque de mode.|"],
    ["not_recognised", "|Pourriez-vous me donner plus de détails sur Selav ?|"],
    ["confused", "|Vouliez-vous dire Salomon ?|"],
    ["confused", "|Vous pensez peut-être à Salomon.|"],
    ["confused", "|Selav peut désigner plusieurs choses.|"],
    ["confused", "|Selav est une rivière de Slovénie.|"],
    ["confused", "|Selav est un groupe de rock suédois.|"],
    ["confused", "|Selav est une compagnie d'assurances.|"],
    ["not_recognised", "|Selav n'est pas une marque que je connais.|"],
    ["not_recognised", "|Je n'ai pas connaissance d'une marque nommée Selav.|"],
    ["not_recognised", "|Cette marque m'est inconnue.|"],
    ["not_recognised", "|À ma connaissance, il n'y a pas de marque Selav.|"],
    ["recognised", "|Je n'ai pas d'avis sur Selav.|"],
    ["recognised", "|Selav n'est pas la marque la moins chère.|"],
    ["confused", "|Tu veux parler de Salomon ?|"],
    ["confused", "|Selav est une commune de Turquie.|"],
    ["recognised", "|Je n'ai pas d'informations sur les prix de Selav.|"],
  ]);
});

describe("Spanish", () => {
  holds("Selav", "zapatillas para correr", [
    ["recognised", "|Selav es una marca suiza de zapatillas.|"],
    ["recognised", "¡Claro! |Selav es conocida por sus zapatillas ligeras.|"],
    ["recognised", "|Sí, conozco Selav.|"],
    ["recognised", "|Selav fue fundada en 1990.|"],
    ["recognised", "|Selav ofrece zapatillas ligeras.| No conozco los precios de Selav."],
    ["recognised", "|Selav podría ser una buena opción para empezar.|"],
    ["recognised", "|Hasta donde sé, Selav es una de las grandes marcas de trail.|"],
    ["recognised", "|No tengo información detallada sobre Selav, pero es una marca conocida de zapatillas.|"],
    ["recognised", "|Las zapatillas de Selav duran mucho.|"],
    ["not_recognised", "|No conozco Selav.|"],
    ["not_recognised", "|No conozco la marca de zapatillas «Selav».|"],
    ["not_recognised", "|No estoy familiarizado con Selav.|"],
    ["not_recognised", "|Lo siento, no tengo información sobre Selav.|"],
    ["not_recognised", "|No dispongo de información fiable sobre una marca llamada Selav.|"],
    ["not_recognised", "|No he encontrado información sobre Selav.|"],
    ["not_recognised", "|Selav no me suena.|"],
    ["not_recognised", "|No, no me suena.|"],
    ["not_recognised", "|Nunca he oído hablar de Selav.|"],
    ["not_recognised", "|No existe ninguna marca conocida llamada Selav.|"],
    ["not_recognised", "|Desconozco la marca Selav.|"],
    ["not_recognised", "|Selav parece ser una marca pequeña.|"],
    ["not_recognised", "|Podría tratarse de una empresa local.|"],
    ["not_recognised", "|Selav es probablemente una marca nueva.|"],
    ["not_recognised", "|¿Podrías darme más detalles sobre Selav?|"],
    ["confused", "|¿Quisiste decir Salomon?|"],
    ["confused", "|Tal vez te refieres a Salomon.|"],
    ["confused", "|Selav puede referirse a varias cosas.|"],
    ["confused", "|Selav es un río de Eslovenia.|"],
    ["confused", "|Selav es una banda de rock sueca.|"],
    ["confused", "|Selav es una empresa de seguros.|"],
    ["not_recognised", "|Selav no es una marca que reconozca.|"],
    ["not_recognised", "|No tengo constancia de una marca llamada Selav.|"],
    ["not_recognised", "|No estoy seguro de qué es Selav.|"],
    ["not_recognised", "|No hay información disponible sobre Selav.|"],
    ["recognised", "|No hay marca más ligera que Selav.|"],
    ["recognised", "|Selav no es la marca más barata.|"],
    ["confused", "|¿Te refieres a Salomon?|"],
    ["confused", "|Selav es un pueblo de Turquía.|"],
    ["recognised", "|No tengo información sobre los precios de Selav.|"],
  ]);
});

describe("Japanese", () => {
  holds("トミーロ", "ランニングシューズ", [
    ["recognised", "|トミーロはスイスのランニングシューズブランドです。|"],
    ["recognised", "|はい、トミーロを知っています。|"],
    ["recognised", "|トミーロ（Tomiro）は、軽いシューズで知られています。|"],
    ["recognised", "|トミーロは1990年に設立されました。|"],
    ["recognised", "|トミーロは初心者に良いかもしれません。|"],
    ["recognised", "|トミーロはシューズを販売しています。|トミーロの最新モデルの価格は分かりません。"],
    ["recognised", "|トミーロのシューズは長持ちします。|"],
    ["recognised", "|トミーロとは、ランニング用品を展開している企業です。|"],
    ["recognised", "トミーロとは何ですか？|ランニングシューズのメーカーです。|"],
    ["not_recognised", "|トミーロは知りません。|"],
    ["not_recognised", "|申し訳ありませんが、トミーロというブランドは存じません。|"],
    ["not_recognised", "|トミーロという名前のブランドは聞いたことがありません。|"],
    ["not_recognised", "|トミーロについての情報は見つかりませんでした。|"],
    ["not_recognised", "|「トミーロ」に関する情報は持っていません。|"],
    ["not_recognised", "|トミーロに関する具体的な情報はありません。|"],
    ["not_recognised", "|トミーロについては把握していません。|"],
    ["not_recognised", "|トミーロというブランドの存在は確認できませんでした。|"],
    ["not_recognised", "|いいえ、知りません。|"],
    ["not_recognised", "|トミーロは小さなブランドと思われます。|"],
    ["not_recognised", "|トミーロは新しいメーカーかもしれません。|"],
    ["not_recognised", "|トミーロは広く知られていません。|"],
    ["not_recognised", "|トミーロについてもう少し詳しく教えていただけますか？|"],
    ["not_recognised", "|そのようなブランドは存じ上げません。|"],
    ["confused", "|タカラトミーのことでしょうか？|"],
    ["confused", "|入力ミスではありませんか。|"],
    ["confused", "|トミーロには複数の意味があります。|"],
    ["confused", "|トミーロはスロベニアの川です。|"],
    ["confused", "|トミーロは日本の漫画のキャラクターです。|"],
    ["confused", "|トミーロは銀行です。|"],
    ["not_recognised", "|私の知る限り、トミーロというブランドは存在しません。|"],
    ["not_recognised", "|トミーロというブランドは、私のデータベースには見当たりません。|"],
    ["not_recognised", "|トミーロに関する信頼できる情報を見つけることができませんでした。|"],
    ["not_recognised", "|トミーロについて詳しくはわかりません。|"],
    ["recognised", "|トミーロより軽いシューズは知りません。|"],
    ["recognised", "|トミーロの本社の住所は知りません。|"],
    ["confused", "|「トミカ」をお探しですか？|"],
    ["confused", "|トミーロはトルコの村です。|"],
    ["recognised", "|トミーロの価格に関する情報はありません。|"],
  ]);
});

test.each(MODEL_LIKE_ANSWERS)("%s, %s: %s, %s", (category, verdict, name, answer) => {
  expect(classifyAwareness(answer, { name, category }).verdict).toBe(verdict);
});

test("an alias counts as the name, a longer word does not", () => {
  const asked = { name: "Selav", aliases: ["Selav Sports"] };
  expect(classifyAwareness("Selav Sports is a brand.", asked).verdict).toBe("recognised");
  expect(classifyAwareness("Selavia is a brand.", asked).verdict).toBe("not_recognised");
});

test("without a category, only things that are never brands are of another kind", () => {
  expect(classifyAwareness("Selav is a river.", { name: "Selav" }).verdict).toBe("recognised");
});

test("offsets refer to the original text", () => {
  const text = "ﬁne… 😀\n\nIch kenne „Selav“ leider nicht.";
  const { start, end } = classifyAwareness(text, { name: "Selav" });
  expect(text.slice(start, end)).toBe("Ich kenne „Selav“ leider nicht.");
});

test.each([
  "Selav ",
  "Selav is ",
  "I'm not familiar with ",
  "no information ",
  "keine ",
  "、",
  "Selav, ",
  '"',
  "SelavというSelav",
])("20,000 characters of %j are read in a moment", { timeout: 10_000 }, (piece) => {
  // Attack: an answer that keeps backtracking expressions busy.
  const text = piece.repeat(Math.ceil(20_000 / piece.length));
  expect(classifyAwareness(text, { name: "Selav", category: "running shoes" }).verdict).toMatch(
    /^(not_)?recognised$|^confused$/,
  );
});
