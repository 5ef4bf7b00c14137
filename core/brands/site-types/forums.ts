/** Forums, and sites of questions and answers. */
export const FORUMS = `
2ch.net wikipedia: 2channel
3dprintboard.com site: forum on 3D printing
3dprintingspace.com site: forum on 3D printing
4chan.org wikipedia: 4chan
5ch.net wikipedia: 5channel
answers.com wikipedia: Answers.com
askfilo.com site: answers to pupils' questions
askubuntu.com wikipedia: Ask Ubuntu
autelpilots.com site: forum of Autel pilots
avsforum.com wikipedia: AVS Forum
bogleheads.org wikipedia: Bogleheads
brainly.com wikipedia: Brainly
chiebukuro.yahoo.co.jp wikipedia: Yahoo! Japan
city-data.com wikipedia: City-Data
commentcamarche.net wikipedia: CommentCaMarche
dcard.tw wikipedia: Dcard
digitalspy.com wikipedia: Digital Spy
doctissimo.fr wikipedia: Doctissimo
donanimhaber.com site: technology news and forum
douban.com wikipedia: Douban
eksisozluk.com wikipedia: Ekşi Sözlük
equinoxevforum.com site: forum of Chevrolet Equinox EV drivers
flyertalk.com wikipedia: FlyerTalk
forocoches.com wikipedia: Forocoches
gamefaqs.com wikipedia: GameFAQs
garagejournal.com site: forum on garages and tools
gutefrage.net wikipedia: Gutefrage.net
hardforum.com site: forum on computer hardware
hardwarezone.com.sg wikipedia: HardwareZone
head-fi.org wikipedia: Head-Fi
hifiguides.com site: forum on headphones
hwupgrade.it wikipedia: Hardware Upgrade
jeuxvideo.com wikipedia: Jeuxvideo.com
justanswer.com wikipedia: JustAnswer
lemmy.world wikipedia: Lemmy (social network)
lobste.rs site: link aggregation and discussion of computing
mathoverflow.net wikipedia: MathOverflow
mavicpilots.com site: forum of DJI Mavic pilots
moneysavingexpert.com wikipedia: MoneySavingExpert.com
mumsnet.com wikipedia: Mumsnet
neogaf.com wikipedia: NeoGAF
news.ycombinator.com wikipedia: Hacker News
physicsforums.com wikipedia: Physics Forums
ptt.cc wikipedia: PTT Bulletin Board System
quora.com wikipedia: Quora
reddit.com wikipedia: Reddit
resetera.com wikipedia: ResetEra
serverfault.com wikipedia: Server Fault
slashdot.org wikipedia: Slashdot
stackexchange.com wikipedia: Stack Exchange
stackoverflow.com wikipedia: Stack Overflow
superuser.com wikipedia: Super User
teslamotorsclub.com site: forum of Tesla drivers
thestudentroom.co.uk wikipedia: The Student Room
tieba.baidu.com wikipedia: Baidu Tieba
v2ex.com wikipedia: V2EX
whirlpool.net.au wikipedia: Whirlpool (website)
xda-developers.com wikipedia: XDA Developers
zhidao.baidu.com wikipedia: Baidu Knows
zhihu.com wikipedia: Zhihu
`;
