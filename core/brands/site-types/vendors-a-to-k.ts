/** Makers, brands, services and organisations of whom there is an article in an encyclopedia. */
export const VENDORS_A_TO_K = `
1password.com wikipedia: 1Password
aa.com wikipedia: American Airlines
aaa.com wikipedia: American Automobile Association
aboutamazon.com wikipedia: Amazon (company)
accuweather.com wikipedia: AccuWeather
acer.com wikipedia: Acer Inc.
activecampaign.com wikipedia: ActiveCampaign
adidas.com wikipedia: Adidas
adobe.com wikipedia: Adobe Inc.
adp.com wikipedia: ADP (company)
adyen.com wikipedia: Adyen
ahrefs.com wikipedia: Ahrefs
airtable.com wikipedia: Airtable
alibabacloud.com wikipedia: Alibaba Cloud
aliyun.com wikipedia: Alibaba Cloud
allbirds.com wikipedia: Allbirds
allstate.com wikipedia: Allstate
amara.org wikipedia: Amara (organization)
amazfit.com wikipedia: Zepp Health
amazonaws.com wikipedia: Amazon Web Services
amd.com wikipedia: AMD
americanexpress.com wikipedia: American Express
android.com wikipedia: Android (operating system)
anker.com wikipedia: Anker (company)
anthropic.com wikipedia: Anthropic
apache.org wikipedia: The Apache Software Foundation
apple.com wikipedia: Apple Inc.
arcteryx.com wikipedia: Arc'teryx
arm.com wikipedia: Arm Holdings
asana.com wikipedia: Asana, Inc.
asics.com wikipedia: Asics
asus.com wikipedia: Asus
atlassian.com wikipedia: Atlassian
att.com wikipedia: AT&T
audacityteam.org wikipedia: Audacity (audio editor)
audi.com wikipedia: Audi
audio-technica.com wikipedia: Audio-Technica
autelrobotics.com wikipedia: Autel Robotics
autodesk.com wikipedia: Autodesk
avast.com wikipedia: Avast
aws.amazon.com wikipedia: Amazon Web Services
babbel.com wikipedia: Babbel
baidu.com wikipedia: Baidu
bambulab.com wikipedia: Bambu Lab
bankofamerica.com wikipedia: Bank of America
basecamp.com wikipedia: 37signals
bayer.com wikipedia: Bayer
beatsbydre.com wikipedia: Beats Electronics
benq.com wikipedia: BenQ
bigcommerce.com wikipedia: BigCommerce
binance.com wikipedia: Binance
bing.com wikipedia: Microsoft Bing
bitdefender.com wikipedia: Bitdefender
bitwarden.com wikipedia: Bitwarden
blender.org wikipedia: Blender (software)
blog.google wikipedia: Google
blog.youtube wikipedia: YouTube
bluehost.com wikipedia: Bluehost
bmw.com wikipedia: BMW
bmwusa.com wikipedia: BMW
bosch.com wikipedia: Robert Bosch GmbH
bose.com wikipedia: Bose Corporation
box.com wikipedia: Box, Inc.
brave.com wikipedia: Brave (web browser)
breville.com wikipedia: Breville
brevo.com wikipedia: Brevo
brooksrunning.com wikipedia: Brooks Sports
buffer.com wikipedia: Buffer (application)
byd.com wikipedia: BYD Company
bytedance.com wikipedia: ByteDance
canon.com wikipedia: Canon Inc.
canva.com wikipedia: Canva
capcut.com wikipedia: CapCut
capitalone.com wikipedia: Capital One
carfax.com wikipedia: Carfax (company)
casper.com wikipedia: Casper Sleep
cast.org wikipedia: CAST (organization)
cerave.com wikipedia: CeraVe
chargepoint.com wikipedia: ChargePoint
chase.com wikipedia: Chase Bank
chatgpt.com wikipedia: ChatGPT
chevrolet.com wikipedia: Chevrolet
cisco.com wikipedia: Cisco
claude.ai wikipedia: Claude (language model)
claude.com wikipedia: Claude (language model)
clickup.com wikipedia: ClickUp
clipchamp.com wikipedia: Microsoft Clipchamp
cloudflare.com wikipedia: Cloudflare
coca-cola.com wikipedia: Coca-Cola
cohere.com wikipedia: Cohere
coinbase.com wikipedia: Coinbase
colgate.com wikipedia: Colgate (toothpaste)
columbia.com wikipedia: Columbia Sportswear
corsair.com wikipedia: Corsair Gaming
coursera.org wikipedia: Coursera
creality.com wikipedia: Creality
crowdin.com wikipedia: Crowdin
crowdstrike.com wikipedia: CrowdStrike
cyberlink.com wikipedia: CyberLink
dashlane.com wikipedia: Dashlane
databricks.com wikipedia: Databricks
datacamp.com wikipedia: DataCamp
datadoghq.com wikipedia: Datadog
deel.com wikipedia: Deel (company)
deepl.com wikipedia: DeepL Translator
deepseek.com wikipedia: DeepSeek
dell.com wikipedia: Dell
delonghi.com wikipedia: De'Longhi
delta.com wikipedia: Delta Air Lines
descript.com wikipedia: Descript
dialpad.com wikipedia: Dialpad
digitalocean.com wikipedia: DigitalOcean
discord.com wikipedia: Discord
disneyplus.com wikipedia: Disney+
dji.com wikipedia: DJI
docker.com wikipedia: Docker, Inc.
docusign.com wikipedia: DocuSign
dropbox.com wikipedia: Dropbox
duckduckgo.com wikipedia: DuckDuckGo
duolingo.com wikipedia: Duolingo
dyson.com wikipedia: Dyson (company)
ea.com wikipedia: Electronic Arts
ecovacs.com wikipedia: Ecovacs
edx.org wikipedia: EdX
elastic.co wikipedia: Elastic NV
electrolux.com wikipedia: Electrolux
elevenlabs.io wikipedia: ElevenLabs
epson.com wikipedia: Epson
evernote.com wikipedia: Evernote
expressvpn.com wikipedia: ExpressVPN
fairphone.com wikipedia: Fairphone
fidelity.com wikipedia: Fidelity Investments
figma.com wikipedia: Figma
filmora.com wikipedia: Wondershare
fitbit.com wikipedia: Fitbit
fiverr.com wikipedia: Fiverr
ford.com wikipedia: Ford Motor Company
formlabs.com wikipedia: Formlabs
frame.work wikipedia: Framework Computer
framework.com wikipedia: Framework Computer
freelancer.com wikipedia: Freelancer.com
freshbooks.com wikipedia: FreshBooks
freshworks.com wikipedia: Freshworks
fujifilm.com wikipedia: Fujifilm
gap.com wikipedia: Gap Inc.
garmin.com wikipedia: Garmin
ge.com wikipedia: General Electric
geico.com wikipedia: GEICO
gillette.com wikipedia: Gillette
gimp.org wikipedia: GIMP
godaddy.com wikipedia: GoDaddy
google.com wikipedia: Google
gopro.com wikipedia: GoPro
gotomeeting.com wikipedia: GoTo Meeting
grammarly.com wikipedia: Grammarly
gusto.com wikipedia: Gusto (company)
heroku.com wikipedia: Heroku
heygen.com wikipedia: HeyGen
hilton.com wikipedia: Hilton Hotels & Resorts
hm.com wikipedia: H&M
hoka.com wikipedia: Hoka One One
honda.com wikipedia: Honda
hootsuite.com wikipedia: Hootsuite
hostinger.com wikipedia: Hostinger
hp.com wikipedia: HP Inc.
huawei.com wikipedia: Huawei
hubspot.com wikipedia: HubSpot
hulu.com wikipedia: Hulu
hyatt.com wikipedia: Hyatt
hyundai.com wikipedia: Hyundai Motor Company
hyundaiusa.com wikipedia: Hyundai Motor Company
ibm.com wikipedia: IBM
iflyrec.com wikipedia: IFlytek
iflytek.com wikipedia: IFlytek
insta360.com wikipedia: Insta360
instantpot.com wikipedia: Instant Pot
intel.com wikipedia: Intel
intercom.com wikipedia: Intercom (company)
intuit.com wikipedia: Intuit
iqair.com wikipedia: IQAir
irobot.com wikipedia: IRobot
jbl.com wikipedia: JBL
jetbrains.com wikipedia: JetBrains
jnj.com wikipedia: Johnson & Johnson
jpmorganchase.com wikipedia: JPMorgan Chase
kaspersky.com wikipedia: Kaspersky Lab
keurig.com wikipedia: Keurig
khanacademy.org wikipedia: Khan Academy
kia.com wikipedia: Kia
kitchenaid.com wikipedia: KitchenAid
klarna.com wikipedia: Klarna
klaviyo.com wikipedia: Klaviyo
kubernetes.io wikipedia: Kubernetes
`;
