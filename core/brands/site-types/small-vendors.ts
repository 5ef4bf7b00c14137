/** Makers, software and services, by what their own sites say that they offer. */
export const SMALL_VENDORS = `
1transcribe.com site: offers transcription of speech
abbn.com site: offers translation of speech and meetings
addsubtitle.ai site: offers editing, dubbing and translation of video
affordablelanguageservices.com site: sells translation and interpreting services
aicelebrityvoice.org site: offers text to speech
aiphone.ai site: offers translation of speech and meetings
airmore.ai site: offers editing, dubbing and translation of video
aitranslator.com site: offers translation of speech and meetings
aivideotranslator.ai site: offers editing, dubbing and translation of video
akool.com site: offers editing, dubbing and translation of video
alpenglowapp.com site: sells its own software or service
americandictation.com site: offers transcription of speech
any-video-converter.com site: offers editing, dubbing and translation of video
anycubic.com site: maker of 3D printers
anymp4.com site: offers editing, dubbing and translation of video
anyvoicelab.com site: offers text to speech
app-dujiaoshou.com site: offers translation of speech and meetings
appfollow.io site: sells its own software or service
appypie.com site: sells its own software or service
argosmultilingual.com site: sells translation and interpreting services
asksia.ai site: offers transcription of speech
aspose.ai site: offers translation of speech and meetings
assemblyai.com site: sells speech to text
atlasaidev.com site: offers text to speech
atltranslate.com site: sells translation and interpreting services
audio-to-text.org site: offers transcription of speech
audiototext.com site: offers transcription of speech
aurisai.io site: offers transcription of speech
avaide.com site: offers editing, dubbing and translation of video
avclabs.com site: offers editing, dubbing and translation of video
awisee.com site: offers editing, dubbing and translation of video
basictts.com site: offers text to speech
belikenative.com site: offers translation of speech and meetings
bentoml.com site: sells its own software or service
beqtechnology.com site: sells its own software or service
bhsusa.com site: sells its own software or service
bit.ai site: sells its own software or service
blipcut.com site: offers editing, dubbing and translation of video
bluraycopys.com site: offers editing, dubbing and translation of video
bordio.com site: sells its own software or service
brandid.app site: offers editing, dubbing and translation of video
brandvm.com site: sells its own software or service
brexlink.com site: offers translation of speech and meetings
celebvoicify.com site: offers text to speech
chatknow.com site: offers translation of speech and meetings
clevercast.com site: offers translation of speech and meetings
clideo.com site: offers editing, dubbing and translation of video
cliptics.com site: offers text to speech
cloudconvert.com site: offers editing, dubbing and translation of video
colossyan.com site: offers editing, dubbing and translation of video
coltura.org site: sells its own software or service
convertixy.com site: offers text to speech
copy.ai site: sells its own software or service
crescendo.ai site: sells its own software or service
cscvoice.ai site: offers translation of speech and meetings
dataforseo.com site: sells its own software or service
dbos.dev site: sells its own software or service
deepgram.com site: sells speech to text
deeptrue.org site: offers translation of speech and meetings
deepwiki.com site: sells its own software or service
deevid.ai site: offers text to speech
devinetools.com site: offers text to speech
devopsschool.com site: training in DevOps with a blog
dhiwise.com site: sells its own software or service
doctranslate.io site: sells translation and interpreting services
doculator.org site: offers editing, dubbing and translation of video
dreamfaceapp.com site: offers editing, dubbing and translation of video
dynamiclanguage.com site: sells translation and interpreting services
easemate.ai site: offers editing, dubbing and translation of video
easeus.com site: offers editing, dubbing and translation of video
easyssub.com site: offers editing, dubbing and translation of video
easytts.com site: offers text to speech
ecoutertranscribe.tech site: offers transcription of speech
eklipse.gg site: offers editing, dubbing and translation of video
elegoo.com site: maker of 3D printers
elevenreader.io site: offers text to speech
ezvideotranslate.com site: offers editing, dubbing and translation of video
ezyzip.com site: offers editing, dubbing and translation of video
facer.io site: sells its own software or service
fakeyou.com site: offers text to speech
familypro.io site: offers transcription of speech
fanyiyun.com site: offers transcription of speech
felo.me site: offers translation of speech and meetings
firattercume.com site: sells translation and interpreting services
fixthephoto.com site: photo editing service with reviews
flatai.org site: offers editing, dubbing and translation of video
flexclip.com site: offers editing, dubbing and translation of video
fliphtml5.com site: offers editing, dubbing and translation of video
flixier.com site: offers editing, dubbing and translation of video
flyeye.io site: sells its own software or service
fotor.com site: offers editing, dubbing and translation of video
framenet.ai site: offers editing, dubbing and translation of video
freeaudiotranscribe.com site: offers transcription of speech
freedocumentmaker.com site: offers editing, dubbing and translation of video
freemake.com site: offers editing, dubbing and translation of video
freereadtext.com site: offers text to speech
freetext2speech.com site: offers text to speech
freetts.com site: offers text to speech
gaga.art site: offers editing, dubbing and translation of video
galaxy.ai site: sells its own software or service
gaminik.cn site: offers translation of speech and meetings
genape.ai site: sells its own software or service
getcasely.com site: sells its own software or service
gglot.com site: offers translation of speech and meetings
gigapixelai.com site: offers editing, dubbing and translation of video
giz.ai site: offers editing, dubbing and translation of video
glarity.app site: sells translation and interpreting services
glosbe.com site: offers translation of speech and meetings
gonsin.com site: offers translation of speech and meetings
gridly.com site: sells translation and interpreting services
happyscribe.com site: offers transcription of speech
hdconvert.com site: offers editing, dubbing and translation of video
heywatcher.com site: offers editing, dubbing and translation of video
hitpaw.com site: offers editing, dubbing and translation of video
hix.ai site: sells its own software or service
hypescribe.com site: offers transcription of speech
imagetotext.io site: sells its own software or service
infinitytranslations.com site: offers translation of speech and meetings
insmind.com site: offers editing, dubbing and translation of video
interpre-x.com site: offers translation of speech and meetings
interprefy.com site: offers translation of speech and meetings
invideo.io site: offers editing, dubbing and translation of video
ispringsolutions.com site: sells its own software or service
ithy.com site: sells its own software or service
ititranslates.com site: sells translation and interpreting services
jmgo.com site: maker of projectors
jogg.ai site: offers editing, dubbing and translation of video
jotme.io site: offers translation of speech and meetings
justbuildthings.com site: offers text to speech
kapwing.com site: offers editing, dubbing and translation of video
karasch.com site: sells translation and interpreting services
katalyst-crm.com site: sells its own software or service
klap.app site: offers editing, dubbing and translation of video
krea.ai site: offers editing, dubbing and translation of video
kukarella.com site: offers text to speech
lalal.ai site: offers editing, dubbing and translation of video
languagers.com site: sells translation and interpreting services
larksuite.com site: sells its own software or service
latentsync.org site: offers text to speech
lecturescribe.io site: offers transcription of speech
lemonfox.ai site: offers text to speech
limneos.net site: developer of iOS tweaks
lingopie.com site: language learning with television
linguabee.com site: sells translation and interpreting services
linguise.com site: sells translation and interpreting services
linguodan.com site: sells its own software or service
lingvanex.com site: sells translation and interpreting services
linnk.ai site: offers translation of speech and meetings
lipsync.video site: offers editing, dubbing and translation of video
livetl.app site: offers translation of speech and meetings
livetranslation.ai site: offers translation of speech and meetings
localizejs.com site: sells translation and interpreting services
lovevoice.ai site: offers text to speech
lovo.ai site: offers text to speech
luvvoice.com site: offers text to speech
lux.camera site: sells its own software or service
matesub.com site: offers editing, dubbing and translation of video
media.io site: offers editing, dubbing and translation of video
meetaugust.ai site: offers transcription of speech
meetiqm.com site: sells its own software or service
micmonster.com site: offers text to speech
mirage.app site: offers editing, dubbing and translation of video
mobitsolutions.com site: sells its own software or service
modal.com site: sells its own software or service
mojiokoshi3.com site: offers transcription of speech
moovitapp.com site: sells its own software or service
multiversecomputing.com site: sells its own software or service
musiccreator.ai site: offers editing, dubbing and translation of video
naturalvoice.io site: offers text to speech
newtonchevroletofrussellville.com site: sells its own software or service
noiz.io site: offers translation of speech and meetings
notta.ai site: offers transcription of speech
nutshell.com site: sells its own software or service
obot-ai.com site: offers translation of speech and meetings
offlinedocs.ai site: sells its own software or service
olostep.com site: sells its own software or service
oneaccord.ai site: offers translation of speech and meetings
onlineconverter.com site: offers editing, dubbing and translation of video
onsitevents.com site: offers translation of speech and meetings
openl.io site: offers translation of speech and meetings
openrouter.ai site: sells its own software or service
opentts.ai site: offers text to speech
orpheustts.net site: offers text to speech
owkin.com site: sells its own software or service
oxylabs.io site: sells its own software or service
pairaphrase.com site: sells translation and interpreting services
palabra.ai site: offers translation of speech and meetings
papeego.com site: sells its own software or service
papora.com site: offers translation of speech and meetings
pearsonbsl.com site: sells translation and interpreting services
piax.org site: sells its own software or service
pippit.ai site: offers editing, dubbing and translation of video
pixiebrix.com site: sells its own software or service
pixlr.com site: offers editing, dubbing and translation of video
play.ht site: offers text to speech
podcastle.ai site: offers text to speech
polypal.ai site: offers translation of speech and meetings
psiquantum.com site: sells its own software or service
pydantic.dev site: sells its own software or service
raphael.app site: offers editing, dubbing and translation of video
rapporttranslations.com site: sells translation and interpreting services
rawnaq-alebda.com site: offers translation of speech and meetings
readlang.com site: sells translation and interpreting services
readspeaker.com site: offers text to speech
realdubbing.com site: offers text to speech
reccloud.cn site: offers editing, dubbing and translation of video
reccloud.com site: offers editing, dubbing and translation of video
recurrentauto.com site: battery reports of used electric cars
redokun.com site: offers editing, dubbing and translation of video
rekam.ai site: offers text to speech
resemble.ai site: offers text to speech
respeecher.com site: offers text to speech
responsivevoice.org site: offers text to speech
reverieinc.com site: offers transcription of speech
revoicer.com site: offers text to speech
rigetti.com site: sells its own software or service
rigorousthemes.com site: WordPress themes with a blog
ringover.com site: sells its own software or service
safetyculture.com site: sells its own software or service
sanfranciscobayferry.com site: sells its own software or service
saywordy.com site: offers translation of speech and meetings
seaart.ai site: offers editing, dubbing and translation of video
seatongue.com site: sells translation and interpreting services
sellvanto.com site: offers translation of speech and meetings
sembly.ai site: offers transcription of speech
sendshort.ai site: offers editing, dubbing and translation of video
serpapi.com site: sells its own software or service
sftravel.com site: tourist board of San Francisco
sigalert.com site: sells its own software or service
siliconflow.com site: sells its own software or service
slidesgpt.com site: sells its own software or service
smartcat.com site: offers editing, dubbing and translation of video
smslocal.com site: offers text to speech
snapmaker.com site: maker of 3D printers
soniox.com site: offers transcription of speech
sonix.ai site: sells transcription
sonshineinterpreting.com site: sells translation and interpreting services
soundscript.ai site: offers transcription of speech
soundwise.ai site: offers transcription of speech
sovol3d.com site: maker of 3D printers
speaklink.ai site: offers translation of speech and meetings
speaksay.com site: offers text to speech
speech-to-text.cloud site: offers transcription of speech
speechgen.io site: offers text to speech
speechify.com site: offers text to speech
speechlogger.com site: offers transcription of speech
speeek.io site: offers editing, dubbing and translation of video
spinquanta.com site: sells its own software or service
squadstack.ai site: offers transcription of speech
ssemble.com site: offers editing, dubbing and translation of video
steve.ai site: offers editing, dubbing and translation of video
sublango.com site: offers editing, dubbing and translation of video
subtitlebee.com site: offers editing, dubbing and translation of video
subtitlevideo.com site: offers translation of speech and meetings
subtly.media site: offers editing, dubbing and translation of video
sunrise-sunset.org site: sells its own software or service
super-converter.com site: offers editing, dubbing and translation of video
superu.ai site: offers translation of speech and meetings
swifdoo.com site: sells its own software or service
sybill.ai site: offers transcription of speech
synthesys.io site: offers editing, dubbing and translation of video
systemart.com site: sells its own software or service
tabbly.io site: sells its own software or service
taia.io site: sells translation and interpreting services
talkpersona.com site: offers translation of speech and meetings
talktolocals.ai site: offers translation of speech and meetings
taloai.com site: offers translation of speech and meetings
tarjimly.org site: volunteer translators for refugees
techasoft.com site: sells its own software or service
teeventinterpretation.com site: sells translation and interpreting services
telelingo.io site: offers translation of speech and meetings
telepreter.com site: offers translation of speech and meetings
telnyx.com site: offers transcription of speech
tely.ai site: sells its own software or service
tenorshare.com site: offers editing, dubbing and translation of video
tensorpix.ai site: offers editing, dubbing and translation of video
text.com site: sells its own software or service
text2speech.online site: offers text to speech
text2speech.org site: offers text to speech
textfromtospeech.com site: offers text to speech
textpretty.com site: offers text to speech
textstospeech.online site: offers text to speech
texttospeech.io site: offers text to speech
texttovoice.org site: offers text to speech
theprotranslation.com site: sells translation and interpreting services
together.ai site: sells its own software or service
tomedes.com site: sells translation and interpreting services
toolplay.ai site: offers editing, dubbing and translation of video
toolstogrowot.com site: sells its own software or service
toolxox.com site: offers text to speech
topazlabs.com site: offers editing, dubbing and translation of video
topdealsnet.com site: offers text to speech
topmediai.com site: offers text to speech
toptts.com site: offers text to speech
transcri.io site: offers transcription of speech
transcribe.com site: offers transcription of speech
transcript.lol site: offers transcription of speech
transcriptcleaner.org site: offers transcription of speech
transgate.ai site: offers transcription of speech
transgull.com site: offers translation of speech and meetings
translatebyhumans.com site: sells translation and interpreting services
translatepress.com site: sells translation and interpreting services
translations.co.uk site: sells translation and interpreting services
translingo.cc site: offers translation of speech and meetings
translinguist.com site: offers translation of speech and meetings
transmonkey.ai site: offers editing, dubbing and translation of video
transyncai.com site: offers translation of speech and meetings
trupeer.ai site: offers editing, dubbing and translation of video
tryparrotai.com site: offers text to speech
ttsassistant.com site: offers text to speech
ttsforge.com site: offers text to speech
ttsmp3.com site: offers text to speech
ttsopen.ai site: offers text to speech
ttsopenai.com site: offers text to speech
ttsspeech.com site: offers text to speech
ttsstudio.ai site: offers text to speech
tubex.chat site: sells its own software or service
turboscribe.ai site: offers transcription of speech
typecast.ai site: offers text to speech
ubos.tech site: sells its own software or service
umu.com site: sells its own software or service
unifab.ai site: offers editing, dubbing and translation of video
unisound.com site: offers transcription of speech
unlimitedtts.com site: offers text to speech
unspokenasl.com site: sells translation and interpreting services
vacapo.cc site: offers translation of speech and meetings
vallejoferryschedule.com site: sells its own software or service
veed.io site: offers editing, dubbing and translation of video
verbalate.ai site: offers editing, dubbing and translation of video
verbatik.com site: offers text to speech
verbolabs.com site: sells translation and interpreting services
vibe-voice.org site: offers text to speech
vibevoice.art site: offers text to speech
vibevoice.io site: offers text to speech
vibevoiceai.com site: offers text to speech
vidby.com site: offers editing, dubbing and translation of video
video-converter.com site: offers editing, dubbing and translation of video
videodubber.ai site: offers editing, dubbing and translation of video
videogpt.io site: offers editing, dubbing and translation of video
videolinq.com site: offers editing, dubbing and translation of video
videotranslator.ai site: offers editing, dubbing and translation of video
videotranslator.io site: offers editing, dubbing and translation of video
vitra.ai site: offers editing, dubbing and translation of video
vivatranslate.com site: offers translation of speech and meetings
vocalstack.com site: offers translation of speech and meetings
voicape.com site: offers text to speech
voice-ping.com site: offers translation of speech and meetings
voicegenerator.io site: offers text to speech
voicehop.app site: offers translation of speech and meetings
voicertool.com site: offers text to speech
voicetype.com site: offers transcription of speech
voicy.network site: offers text to speech
vomo.ai site: offers transcription of speech
vozo.ai site: offers editing, dubbing and translation of video
wavel.ai site: offers editing, dubbing and translation of video
wayin.ai site: offers editing, dubbing and translation of video
webpeak.org site: sells its own software or service
weet.co site: offers editing, dubbing and translation of video
weryai.com site: offers editing, dubbing and translation of video
whisperai.com site: offers transcription of speech
whisperbot.ai site: offers transcription of speech
wild-eye.com site: photographic safaris
winxdvd.com site: offers editing, dubbing and translation of video
wordly.ai site: offers translation of speech and meetings
wutools.com site: offers text to speech
x-doc.ai site: offers translation of speech and meetings
xgimi.com site: maker of projectors
xpert.digital site: offers translation of speech and meetings
yaber.com site: maker of projectors
zeemo.ai site: offers editing, dubbing and translation of video
ztalk.ai site: offers translation of speech and meetings
`;
