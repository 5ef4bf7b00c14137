/** Magazines, tutorials and blogs on one subject, of an editorial team. */
export const SPECIALISTS = `
3dprint.com site: news on 3D printing
3dprinteddecor.com site: articles on 3D printing
addictivetips.com site: how-tos on technology
agiyes.com site: articles and lists on AI tools
aiappgenie.com site: articles and lists on AI tools
aistoryland.com site: articles and lists on AI tools
allaboutai.com site: articles and lists on AI tools
allrecipes.com wikipedia: Allrecipes
alphr.com site: how-tos on technology
amateurphotographer.com wikipedia: Amateur Photographer
analyticsvidhya.com site: articles on data science
androidayuda.com site: how-tos on Android
apartmenttherapy.com wikipedia: Apartment Therapy
audiophileon.com site: articles on audio gear
backlinko.com site: articles on search marketing
baeldung.com site: tutorials on Java
barbend.com site: articles on strength training
business.com site: advice and software reviews for small businesses
businessnewsdaily.com site: advice for small businesses
contentmarketinginstitute.com wikipedia: Content Marketing Institute
copyblogger.com wikipedia: Copyblogger
costhelper.com site: what things cost
createandgo.com site: courses and articles on blogging
css-tricks.com site: articles on web development
dev.to site: developers' posts
digitalslrphoto.com site: magazine on photography
diymachines.co.uk site: projects and reviews of 3D printing
dronelife.com site: news on drones
dronexl.co site: news on drones
drugs.com wikipedia: Drugs.com
dzone.com wikipedia: DZone
ecommercefuel.com site: community of online merchants
emarketer.com wikipedia: EMarketer
everydayhealth.com wikipedia: Everyday Health
fitsmallbusiness.com site: advice for small businesses
food52.com wikipedia: Food52
forrester.com wikipedia: Forrester Research
freecodecamp.org wikipedia: FreeCodeCamp
gallup.com wikipedia: Gallup, Inc.
geekchamp.com site: how-tos on technology
geeksforgeeks.org wikipedia: GeeksforGeeks
grandviewresearch.com site: market research reports
graphiceagle.com site: articles and lists on software
groovypost.com site: how-tos on technology
guidingtech.com site: how-tos on gadgets
hackernoon.com site: articles by technologists
healthline.com wikipedia: Healthline
howtogeek.com wikipedia: How-To Geek
idc.com wikipedia: International Data Corporation
igeeksblog.com site: articles on Apple products
influencermarketinghub.com site: articles on influencer marketing
infoq.com wikipedia: InfoQ
infostec.com site: Turkish articles on technology
iphonelife.com wikipedia: IPhone Life
itsfoss.com site: articles on Linux
javatpoint.com site: tutorials on programming
kdnuggets.com site: articles on data science
lifehacker.com wikipedia: Lifehacker
lifewire.com wikipedia: Lifewire
listful.com site: shopping guides
machinelearningmastery.com site: tutorials on machine learning
maketecheasier.com site: how-tos on technology
makeuseof.com wikipedia: MakeUseOf
marketingprofs.com site: articles on marketing
marketsandmarkets.com wikipedia: MarketsandMarkets
medscape.com wikipedia: Medscape
mindbodygreen.com site: articles on well-being
mlforeveryone.com site: articles on machine learning
mljourney.com site: tutorials on machine learning
musicradar.com wikipedia: MusicRadar
musictech.com wikipedia: MusicTech
nordicapis.com site: articles on programming interfaces
osxdaily.com site: articles on macOS
pcrisk.com site: guides to malware and Windows
practicalecommerce.com site: articles on online shops
psychologytoday.com wikipedia: Psychology Today
psychreg.org site: magazine on psychology
rankred.com site: lists of rankings
realpython.com site: tutorials on Python
scriptbyai.com site: articles and lists on AI tools
searchenginejournal.com site: articles on search marketing
searchengineland.com wikipedia: Search Engine Land
seroundtable.com wikipedia: Search Engine Roundtable
sitepoint.com wikipedia: SitePoint
sixtyandme.com site: magazine for women over 60
skywardwings.com site: articles on drones
smallbiztrends.com site: articles for small businesses
smashingmagazine.com wikipedia: Smashing Magazine
socialmediaexaminer.com site: articles on social media marketing
soundonsound.com wikipedia: Sound on Sound
statista.com wikipedia: Statista
tctmagazine.com site: news on 3D printing
techbloat.com site: how-tos on technology
technetbooks.com site: articles on phones
technicaltrendy.com site: articles on technology
techvibe.ai site: articles and lists on AI tools
techwalla.com site: how-tos on technology
teknobh.com site: Turkish articles on technology
theaisurf.com site: articles and lists on AI tools
thebalancemoney.com wikipedia: The Balance (website)
thedisconnekt.com site: articles on phones
theinsaneapp.com site: articles on technology
thekitchn.com wikipedia: Apartment Therapy
thenewcamera.com site: rumours and guides of cameras
thenewstack.io site: articles on cloud software
thesmarthomehookup.com site: tests of smart home products by Rob
thewindowsclub.com site: articles on Windows
topspeed.com site: articles on cars
towardsdatascience.com site: articles on data science
treehugger.com wikipedia: Treehugger
tripsavvy.com wikipedia: TripSavvy
tutorialspoint.com wikipedia: Tutorials Point
typinglounge.com site: articles on typing and dictation
umatechnology.org site: how-tos on technology
verywellfit.com wikipedia: Verywell
verywellhealth.com wikipedia: Verywell
verywellmind.com wikipedia: Verywell
w3schools.com wikipedia: W3Schools
wccftech.com wikipedia: Wccftech
webmd.com wikipedia: WebMD
`;
