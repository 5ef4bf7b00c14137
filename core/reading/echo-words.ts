/**
 * Folded words of five languages that questions and announcements are made of: a question that is asked again in other words may differ in
 * them. Words that say something of a brand in a statement ("better") stand here too, because only questions, headings and what leads to a
 * statement are compared.
 */
const WORDS = `
a an the this that these those it its they them their you your we us our me my one of to in on at by for from with about as and or vs versus
is are was were be been do does did can could should would will may might have has had what which who how why where when whether if than then
so really actually exactly here there now let lets look looking see compare comparing compared comparison break down overview summary guide
review reviews analysis detailed brief quick short honest balanced fair closer answer question questions ask asked asking know want wondering
considering choosing deciding choose decide choice decision pick buy between both either good better best well great worth right like think
opinion thoughts depends depend help sure certainly course yes no ok okay thanks based some more most any also please tell give find say said
come comes regarding concerning terms take deal pros cons up out not go going get need needs details following below
sorry hear sounds understand since because given now already currently today using use used own looking search searching

der die das den dem des ein eine einen einem einer eines es er sie ihr ihre ihnen du dir dich dein deine wir uns ich mir mich und oder ist sind
war waren sein hat haben kann konnen soll sollte wurde wird was welche welcher welches wer wie warum wo wann ob wenn als dann also hier jetzt
im ins am an auf bei beim mit von vom zu zum zur fur uber um in aus nach zwischen gegen gegenuber vergleich vergleichen verglichen
gegenuberstellung uberblick ubersicht zusammenfassung kurz kurze kurzer ehrlich ehrliche genauer blick frage fragen antwort fragst fragen
mochtest mochten willst wissen gut besser beste besten lohnt lohnen wert empfehlenswert halten haltst meinung einschatzung hangt kommt ab darauf
schauen gerne klar naturlich ja nein findest finden beide beiden einige geht bezug bezuglich hinsichtlich entscheiden entscheidung wahl folgende
folgenden mal sich auch denn wirklich eigentlich man bitte nicht
hast nutzt nutzen besitzt besitzen verwendest verwenden suchst suchen sucht bisher derzeit aktuell heute da weil schade etwas

le la les l un une des du de d et ou est sont etait que qu quel quelle quels quelles qui comment pourquoi quand si alors donc ici voici voila il
elle ils elles on vous tu je nous votre vos ton ta tes mon ma mes ce cet cette ces c se s en dans sur par pour avec au aux a entre contre face
comparer comparez comparons comparaison comparatif apercu resume bref breve rapide analyse avis point question questions reponse demandez
demandes voulez veux souhaitez savoir bon bonne mieux meilleur meilleure vaut valent penser pensez penses opinion depend regardons bien sur oui
non plus moins tous deux certains concerne concernant quant choisir choix decider hesitez hesites suivant suivante faut il ne pas peut
avez as ai j utilisez utilises possedez possedes cherchez cherches habitez habites comme puisque cas quelque chose existe

el la los las lo un una unos unas de del y o es son era ser esta estan que cual cuales quien como por para cuando si entonces aqui ahora en con
sobre entre contra frente a al su sus tu tus mi mis me te se nos ustedes usted comparar compara comparemos comparacion comparativa resumen breve
rapido rapida analisis opinion opiniones pregunta preguntas respuesta preguntas quieres quiere saber bueno buena mejor mejores vale pena pensar
piensas opinas crees depende veamos claro si no mas menos ambos ambas algunos algunas cuanto respecto elegir eleccion decidir decision dudas
siguiente siguientes continuacion tienes hay e u
como tengo usas uso utilizas buscas busco existe algo quiero ya

他 次 今 比較 質問 回答 以下 説明 紹介 概要 点 解説 結論 両者 違い 場合 方 良 何 お答 選択 まとめ ポイント
`;

export const QUESTION_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));
