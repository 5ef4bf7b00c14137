/**
 * Words that answers capitalise although they are no brand's name: sentence openers, headings, praise, product words,
 * units and abbreviations, months, days, places, languages, jobs. Kept by hand. Whatever an answer's own collect also
 * writes in small letters is plain too (core/brands/gather-names.ts), so the list holds what small texts would not show.
 */
const WORDS = `
a about above according across add additional after again against all almost along already also although always am among
an and another any anyone anything are around as ask at available avoid away back bad based basic be because been before
being below best better between beyond big both bottom bonus boost bring broad browse budget build building built busy but
buy buyer buyers by call can category cheap check choice choose clear close compact compare compared comparison
comparisons complete con conclusion cons consider considerations contact cost costs could cross current custom customer
customers daily data day days deal deals decent deep depending depends design designed despite detail details did
different difference differences direct do does done down drawback drawbacks due during each ease easy editor editors
either else end enjoy enough entry especially essential even ever every everyone everything exact example examples
excellent exclusive expensive expert experts explore extra face fair fast feature features few final finally find first
fit flagship flexible follow for found four free frequently from full fun further future general generally get give given
go goal going good great guide had hand hard has have having he help helpful helps her here hidden high higher highly his
home hot how however huge i ideal if images important in include included includes including increasingly individual info
information initial insight instead into introduction is issue issues it its just keep key kind know known large last
later latest launch learn least leave less let level like likely limited limits line link links list listed little local
long look looking low lower luxury main mainly maintain make makes many market match matters maximum may maybe me mid
midrange might minimum minor mixed model models moderate modern more most mostly much must my name near nearly need needs
never new newer next nice no non none not notable note notes nothing now number of off offs offer offers often old on once one
online only open option options or order original other others our out outside over overall overview own part particularly
people per perfect perhaps personal pick picks picture plan plenty please plus point popular possible potential power
premium price priced prices pricing pro product products pros provide provides quality question questions quick quite
range rank ranked ranking rankings rate rated rather rating ratings read ready real really reason reasons recent recently
recommend recommendation recommendations recommended reliable remember result results review reviewed reviewer reviewers
reviews right runner same save score search second section see select serious service set several she shop shopping short
should show side similar simple since single site size slightly slow small smart so solid some someone something sometimes
soon sort source sources special specific specs spec stand standard start starting still strength strengths strong such
suggest suggestions suitable summary super support sure table tables take tell tested testing tests than that the their
them then there these they thing things think this those though three through tier tight tip tips title to today together
too top total tough trade trend trends trick tried true trusted try turn two type types typical typically ultimate ultra
under unique unless until up upcoming update updated updates upgrade upper us use used useful user users uses using usually
value variety various verdict versatile version very via view vs want warning was watch way ways we weak weakness
weaknesses well went were what whatever when where whether which while who whole why wide widely will winner wish with
within without wonderful work working works worth would write wrong year years yes yet you your yourself zero
absolutely actually additionally alternatively consequently currently essentially furthermore hence hopefully ideally
importantly indeed meanwhile moreover namely nevertheless nonetheless obviously originally otherwise overall previously
probably regardless relatively roughly similarly specifically therefore thus ultimately unfortunately
alternative alternatives amateur answer answers app apps application audience audio author authors average award awards
beginner beginners benefit benefits blog brand brands business businesses camera cameras car cars case cases casual catch
certificate certified child children choice college community companies company competition competitor competitors
connectivity consumer consumers content context cookie copyright coverage crafted creator creators credit criteria crucial
customer delivery desktop developer developers device devices digital discount display document download driver drivers
durability electric electronics email engine enterprise entry error event family faq feedback female file focus food form
forum friend game gamer gamers games gaming gift guarantee hardware health history household hybrid image industry
innovation installation interface internet investment kid kids kit language laptop laptops law legal lifestyle
maintenance male man manual manufacturer manufacturers map marketing material materials media member men menu message
method metrics mobile music network news newsletter office official outdoor owner owners page parent parents partner
password payment performance phone phones photo photos platform platforms policy portable post privacy professional
professionals profile program project purchase quiz quote rec recipe refund release repair report request research retailer
retailers return returns risk safety sale sales school science sector security seller service services setup shipping
shoes shot software solution solutions sound speaker speakers speed sports stats status steps stock storage store stores
story strategy street student students studio study style subscription sustainability system systems task team tech
technology term terms text theme topic topics training travel trial tutorial university vehicle vehicles video videos
voice warranty weather web website websites weight winter women workflow world
aa abs ac adas ai aka amoled anc android ansi api apis app apr ar asap atm aux avg awd bass bbc bev bevs bios bldc bluetooth
bpa bt btu ca cad cagr cc cd ceo cfo chip cms cnc cpu crm cta ctr dac dc diy dj dlp dlss dns dolby dot dpi dps dpi dsp dvd
ecg eco ed eink eq esim ethernet eu ev evs exr fdm ffc fm fov fps ft gb gbp gdpr geo ghz gps gpt gpu gps hd hdd hdmi hdr hepa
hifi hiit hr hrv html http https hvac hz id ieee iem ios ip iot ir iso it json kb kg km kpi kwh lan lcd led ledger leds lidar
linux llm llms lte macos matter mb mbps mems mhz mil miles min mini mm mp mph mpg msrp nas nfc nits nlp no nvme oem ok oled
os osha pc pcie pcs pd pdf pdfs pfas phev phevs ph php pla png ppi ppm psi qi qled qr qwerty ram rca rgb rfid roi rpm sd sdk
seo serp sim sla sls smb sms sql ssd suv suvs sus tb tft tk tpu tts tv tvs tws ui uk un uhd url usa usb usd usbc uv ux vat
vr wan wh wifi windows wlan xl xlr xr xs xxl yoy
january february march april may june july august september october november december jan feb mar jun jul aug sep sept oct
nov dec monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall christmas easter ramadan
halloween black-friday
africa african america american americas argentina asia asian australia australian austria austrian belgium berlin boston
brazil britain british california canada canadian chicago china chinese denmark dubai dutch england english europe european
finland florida france french german germany greece hong-kong india indian indonesia ireland irish israel italian italy
japan japanese kong korea korean london madrid malaysia mexico miami milan munich netherlands nordic norway norwegian
paris philippines poland polish portugal portuguese russia russian scandinavia scotland seattle shanghai singapore spain
spanish sweden swedish swiss switzerland sydney taiwan texas thailand tokyo toronto turkey ukraine uk vienna vietnam york
zurich arabic hindi mandarin latin
quiet quieter quietest loud bright brighter sharp soft smooth sturdy stylish sleek comfortable convenient accurate powerful
lightweight elegant rich warm cool fresh natural clean sweet spacious rugged waterproof wireless wired portable foldable
usb-c wi-fi e-bike e-bikes e-reader e-readers x-ray in-ear over-ear on-ear all-in-one add-ons t-shirt
der die das den dem ein eine einen und oder aber mit ohne fur von zu im am auf bei nach aus ist sind war nicht kein keine
wenn dann als wie was wer warum weitere mehr ihr ihre unser sie es wir preis test vergleich fazit vorteile nachteile
le la les un une des du de et ou mais avec sans pour par sur dans est sont pas plus voir prix avis comparatif
el los las una y o pero con sin para por en es son mejor mejores precio
il lo gli i di da con per su sono migliore migliori
mr mrs ms dr prof ceo sir
pros/cons best-overall
series edition gen generation max lite air mini plus pro ultra neo prime se xl fe
brightness drone drones fpv heaviness impedance loudness memory sharpness thickness
`;

const words = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));

/** "Adjustability", "Compatibility", "Sensitivity": what a product has. */
const PROPERTY = /(?:[ai]bility|ivity)$/i;

/** True for a word that is no brand's name by itself, ignoring case. */
export function isPlainWord(word: string): boolean {
  return words.has(word.toLowerCase()) || PROPERTY.test(word);
}
