/** The same from L to Z. */
export const VENDORS_L_TO_Z = `
lastpass.com wikipedia: LastPass
lego.com wikipedia: The Lego Group
lenovo.com wikipedia: Lenovo
levi.com wikipedia: Levi Strauss & Co.
lg.com wikipedia: LG Electronics
libreoffice.org wikipedia: LibreOffice
line.me wikipedia: Line (software)
linguee.com wikipedia: Linguee
linuxfoundation.org wikipedia: Linux Foundation
lionbridge.com wikipedia: Lionbridge
logitech.com wikipedia: Logitech
lokalise.com wikipedia: Lokalise
loom.com wikipedia: Loom, Inc.
loreal.com wikipedia: L'Oréal
lucidmotors.com wikipedia: Lucid Motors
lufthansa.com wikipedia: Lufthansa
lululemon.com wikipedia: Lululemon
lyft.com wikipedia: Lyft
mailchimp.com wikipedia: Mailchimp
make.com wikipedia: Make (software)
malwarebytes.com wikipedia: Malwarebytes
marriott.com wikipedia: Marriott International
mastercard.com wikipedia: Mastercard
max.com wikipedia: HBO Max
mcafee.com wikipedia: McAfee
mcdonalds.com wikipedia: McDonald's
mckinsey.com wikipedia: McKinsey & Company
memoq.com wikipedia: MemoQ
mercedes-benz.com wikipedia: Mercedes-Benz
meta.com wikipedia: Meta Platforms
mexc.com wikipedia: MEXC
mi.com wikipedia: Xiaomi
microsoft.com wikipedia: Microsoft
midjourney.com wikipedia: Midjourney
miele.com wikipedia: Miele
miro.com wikipedia: Miro (collaboration platform)
mistral.ai wikipedia: Mistral AI
monday.com wikipedia: Monday.com
mongodb.com wikipedia: MongoDB Inc.
motorola.com wikipedia: Motorola Mobility
moz.com wikipedia: Moz (marketing software)
mozilla.org wikipedia: Mozilla
msi.com wikipedia: Micro-Star International
namecheap.com wikipedia: Namecheap
nespresso.com wikipedia: Nespresso
nestle.com wikipedia: Nestlé
netflix.com wikipedia: Netflix
netlify.com wikipedia: Netlify
newbalance.com wikipedia: New Balance
nike.com wikipedia: Nike, Inc.
nikon.com wikipedia: Nikon
nintendo.com wikipedia: Nintendo
nissanusa.com wikipedia: Nissan
nivea.com wikipedia: Nivea
nodejs.org wikipedia: Node.js
nokia.com wikipedia: Nokia
nordvpn.com wikipedia: NordVPN
norton.com wikipedia: Norton (software)
nothing.tech wikipedia: Nothing Technology
notion.com wikipedia: Notion (productivity software)
notion.so wikipedia: Notion (productivity software)
npmjs.com wikipedia: Npm
nuance.com wikipedia: Nuance Communications
nvidia.com wikipedia: Nvidia
obsproject.com wikipedia: OBS Studio
office.com wikipedia: Microsoft 365
okta.com wikipedia: Okta, Inc.
on.com wikipedia: On (company)
onefc.com wikipedia: ONE Championship
onepeloton.com wikipedia: Peloton Interactive
oneplus.com wikipedia: OnePlus
openai.com wikipedia: OpenAI
opera.com wikipedia: Opera (web browser)
oppo.com wikipedia: Oppo
optoma.com wikipedia: Optoma Corporation
oracle.com wikipedia: Oracle Corporation
orange.fr wikipedia: Orange (telecommunications)
otter.ai wikipedia: Otter.ai
ouraring.com wikipedia: Oura Health
paloaltonetworks.com wikipedia: Palo Alto Networks
pampers.com wikipedia: Pampers
panasonic.com wikipedia: Panasonic
parrot.com wikipedia: Parrot SA
patagonia.com wikipedia: Patagonia, Inc.
paychex.com wikipedia: Paychex
paypal.com wikipedia: PayPal
peloton.com wikipedia: Peloton Interactive
pepsi.com wikipedia: Pepsi
perplexity.ai wikipedia: Perplexity AI
peugeot.com wikipedia: Peugeot
pfizer.com wikipedia: Pfizer
pg.com wikipedia: Procter & Gamble
philips.com wikipedia: Philips
phrase.com wikipedia: Phrase (software)
pipedrive.com wikipedia: Pipedrive
playstation.com wikipedia: PlayStation
plex.tv wikipedia: Plex (company)
poetryoutloud.org wikipedia: Poetry Out Loud
polar.com wikipedia: Polar Electro
polestar.com wikipedia: Polestar
porsche.com wikipedia: Porsche
prezi.com wikipedia: Prezi
progressive.com wikipedia: Progressive Corporation
proton.me wikipedia: Proton AG
prusa3d.com wikipedia: Prusa Research
puma.com wikipedia: Puma (brand)
purple.com wikipedia: Purple Innovation
pypi.org wikipedia: Python Package Index
python.org wikipedia: Python (programming language)
qq.com wikipedia: Tencent QQ
qualcomm.com wikipedia: Qualcomm
qualtrics.com wikipedia: Qualtrics
quickbooks.com wikipedia: QuickBooks
quillbot.com wikipedia: QuillBot
rapid7.com wikipedia: Rapid7
raspberrypi.com wikipedia: Raspberry Pi
razer.com wikipedia: Razer Inc.
realme.com wikipedia: Realme
redhat.com wikipedia: Red Hat
renault.com wikipedia: Renault
replit.com wikipedia: Replit
research.google wikipedia: Google
rev.com wikipedia: Rev (company)
reverso.net wikipedia: Reverso (language tools)
revolut.com wikipedia: Revolut
ringcentral.com wikipedia: RingCentral
rippling.com wikipedia: Rippling (company)
rivian.com wikipedia: Rivian
robinhood.com wikipedia: Robinhood Markets
roborock.com wikipedia: Roborock
roku.com wikipedia: Roku, Inc.
rosettastone.com wikipedia: Rosetta Stone (software)
runwayml.com wikipedia: Runway (company)
rws.com wikipedia: RWS Group
saatva.com wikipedia: Saatva
sage.com wikipedia: Sage Group
salesforce.com wikipedia: Salesforce
salomon.com wikipedia: Salomon Group
samsung.com wikipedia: Samsung
sap.com wikipedia: SAP
schwab.com wikipedia: Charles Schwab Corporation
sdl.com wikipedia: SDL plc
semrush.com wikipedia: Semrush
sennheiser.com wikipedia: Sennheiser
sentinelone.com wikipedia: SentinelOne
servicenow.com wikipedia: ServiceNow
sharkninja.com wikipedia: SharkNinja
shopify.com wikipedia: Shopify
siemens.com wikipedia: Siemens
signal.org wikipedia: Signal (software)
siteground.com wikipedia: SiteGround
skillshare.com wikipedia: Skillshare
skydio.com wikipedia: Skydio
skype.com wikipedia: Skype
slack.com wikipedia: Slack (software)
smartling.com wikipedia: Smartling
smartsheet.com wikipedia: Smartsheet
snowflake.com wikipedia: Snowflake Inc.
sonos.com wikipedia: Sonos
sony.com wikipedia: Sony
speechmatics.com wikipedia: Speechmatics
splunk.com wikipedia: Splunk
spotify.com wikipedia: Spotify
sproutsocial.com wikipedia: Sprout Social
squarespace.com wikipedia: Squarespace
squareup.com wikipedia: Block, Inc.
stability.ai wikipedia: Stability AI
starbucks.com wikipedia: Starbucks
statefarm.com wikipedia: State Farm
stripe.com wikipedia: Stripe, Inc.
surfshark.com wikipedia: Surfshark VPN
surveymonkey.com wikipedia: SurveyMonkey
suunto.com wikipedia: Suunto
synthesia.io wikipedia: Synthesia (company)
systransoft.com wikipedia: SYSTRAN
t-mobile.com wikipedia: T-Mobile US
teamviewer.com wikipedia: TeamViewer
techsmith.com wikipedia: TechSmith
telegram.org wikipedia: Telegram (software)
telekom.de wikipedia: Deutsche Telekom
tempurpedic.com wikipedia: Tempur-Pedic
tencent.com wikipedia: Tencent
tesla.com wikipedia: Tesla, Inc.
thenorthface.com wikipedia: The North Face
theordinary.com wikipedia: Deciem
timeanddate.com wikipedia: Time and Date
toptal.com wikipedia: Toptal
toyota.com wikipedia: Toyota
tradingview.com wikipedia: TradingView
traeger.com wikipedia: Traeger Grills
translated.com wikipedia: Translated (company)
transperfect.com wikipedia: TransPerfect
trello.com wikipedia: Trello
trint.com wikipedia: Trint
twilio.com wikipedia: Twilio
typeform.com wikipedia: Typeform (service)
uber.com wikipedia: Uber
ubuntu.com wikipedia: Ubuntu
udemy.com wikipedia: Udemy
ultimaker.com wikipedia: UltiMaker
underarmour.com wikipedia: Under Armour
unilever.com wikipedia: Unilever
united.com wikipedia: United Airlines
unity.com wikipedia: Unity Technologies
unrealengine.com wikipedia: Unreal Engine
upwork.com wikipedia: Upwork
vanguard.com wikipedia: The Vanguard Group
vercel.com wikipedia: Vercel
verizon.com wikipedia: Verizon
vertu.com wikipedia: Vertu
videolan.org wikipedia: VideoLAN
viewsonic.com wikipedia: ViewSonic
visa.com wikipedia: Visa Inc.
vitamix.com wikipedia: Vitamix
vivaldi.com wikipedia: Vivaldi (web browser)
vivo.com wikipedia: Vivo (technology company)
vodafone.com wikipedia: Vodafone
volvocars.com wikipedia: Volvo Cars
vonage.com wikipedia: Vonage
vw.com wikipedia: Volkswagen
weather.com wikipedia: The Weather Channel
weber.com wikipedia: Weber-Stephen Products
webex.com wikipedia: Webex
webflow.com wikipedia: Webflow
wellsfargo.com wikipedia: Wells Fargo
whatsapp.com wikipedia: WhatsApp
whirlpool.com wikipedia: Whirlpool Corporation
whoop.com wikipedia: Whoop (company)
windows.com wikipedia: Microsoft Windows
wise.com wikipedia: Wise (company)
wix.com wikipedia: Wix.com
wondershare.com wikipedia: Wondershare
woocommerce.com wikipedia: WooCommerce
wordpress.org wikipedia: WordPress
workday.com wikipedia: Workday, Inc.
wunderground.com wikipedia: Weather Underground (weather service)
x.ai wikipedia: XAI (company)
xbox.com wikipedia: Xbox
xero.com wikipedia: Xero (company)
yandex.com wikipedia: Yandex
yandex.ru wikipedia: Yandex
youdao.com wikipedia: Youdao
zapier.com wikipedia: Zapier
zara.com wikipedia: Zara (retailer)
zoho.com wikipedia: Zoho Corporation
zoom.com wikipedia: Zoom Communications
zoom.us wikipedia: Zoom Communications
`;
