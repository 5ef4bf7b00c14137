/** Newspapers, magazines, broadcasters and news sites under the domain of a country. */
export const NEWS_COUNTRIES = `
20min.ch wikipedia: 20 minutes (Switzerland)
20minutes.fr wikipedia: 20 minutes (France)
20minutos.es wikipedia: 20 minutos
abc.es wikipedia: ABC (newspaper)
abc.net.au wikipedia: Australian Broadcasting Corporation
aftonbladet.se wikipedia: Aftonbladet
aninews.in wikipedia: Asian News International
ansa.it wikipedia: ANSA
bild.de wikipedia: Bild
businesstoday.in wikipedia: Business Today (India)
cbc.ca wikipedia: Canadian Broadcasting Corporation
chinadaily.com.cn wikipedia: China Daily
corriere.it wikipedia: Corriere della Sera
ctvnews.ca wikipedia: CTV News
derstandard.at wikipedia: Der Standard
dn.se wikipedia: Dagens Nyheter
dr.dk wikipedia: DR (broadcaster)
elcomercio.pe wikipedia: El Comercio (Peru)
eldiario.es wikipedia: ElDiario.es
elmundo.es wikipedia: El Mundo (Spain)
eluniversal.com.mx wikipedia: El Universal (Mexico City)
estadao.com.br wikipedia: O Estado de S. Paulo
expressen.se wikipedia: Expressen
focus.de wikipedia: Focus (German magazine)
folha.uol.com.br wikipedia: Folha de S.Paulo
francetvinfo.fr wikipedia: France Info
gazeta.pl wikipedia: Gazeta.pl
gazzetta.it wikipedia: La Gazzetta dello Sport
globalnews.ca wikipedia: Global News
golem.de wikipedia: Golem.de
heise.de wikipedia: Heinz Heise
hs.fi wikipedia: Helsingin Sanomat
hurriyet.com.tr wikipedia: Hürriyet
idnes.cz wikipedia: IDNES.cz
impress.co.jp wikipedia: Impress Group
index.hu wikipedia: Index.hu
itmedia.co.jp wikipedia: ITmedia
japantimes.co.jp wikipedia: The Japan Times
kathimerini.gr wikipedia: Kathimerini
kommersant.ru wikipedia: Kommersant
koreatimes.co.kr wikipedia: The Korea Times
krone.at wikipedia: Kronen Zeitung
lanacion.com.ar wikipedia: La Nación
lapresse.ca wikipedia: La Presse (Canadian newspaper)
lastampa.it wikipedia: La Stampa
latribune.fr wikipedia: La Tribune
lefigaro.fr wikipedia: Le Figaro
lemonde.fr wikipedia: Le Monde
leparisien.fr wikipedia: Le Parisien
lepoint.fr wikipedia: Le Point
lesechos.fr wikipedia: Les Echos (France)
lesoir.be wikipedia: Le Soir
lexpress.fr wikipedia: L'Express
liberation.fr wikipedia: Libération
mainichi.jp wikipedia: Mainichi Shimbun
manager-magazin.de wikipedia: Manager Magazin
mg.co.za wikipedia: Mail & Guardian
milliyet.com.tr wikipedia: Milliyet
n-tv.de wikipedia: N-tv
nation.africa wikipedia: Daily Nation
ndr.de wikipedia: Norddeutscher Rundfunk
news.com.au wikipedia: News.com.au
nhk.or.jp wikipedia: NHK
nos.nl wikipedia: Nederlandse Omroep Stichting
nrc.nl wikipedia: NRC (newspaper)
nrk.no wikipedia: NRK
nst.com.my wikipedia: New Straits Times
nu.nl wikipedia: NU.nl
nzherald.co.nz wikipedia: The New Zealand Herald
nzz.ch wikipedia: Neue Zürcher Zeitung
onet.pl wikipedia: Onet.pl
orf.at wikipedia: ORF (broadcaster)
ouest-france.fr wikipedia: Ouest-France
politico.eu wikipedia: Politico Europe
politiken.dk wikipedia: Politiken
publico.pt wikipedia: Público (Portugal)
rbc.ru wikipedia: RBC Group
repubblica.it wikipedia: La Repubblica
rnz.co.nz wikipedia: Radio New Zealand
rte.ie wikipedia: RTÉ
rtve.es wikipedia: RTVE
sabah.com.tr wikipedia: Sabah (newspaper)
sina.com.cn wikipedia: Sina Corporation
smh.com.au wikipedia: The Sydney Morning Herald
spiegel.de wikipedia: Der Spiegel (website)
srf.ch wikipedia: Schweizer Radio und Fernsehen
stern.de wikipedia: Stern (magazine)
stuff.co.nz wikipedia: Stuff (website)
sueddeutsche.de wikipedia: Süddeutsche Zeitung
svd.se wikipedia: Svenska Dagbladet
svt.se wikipedia: Sveriges Television
swissinfo.ch wikipedia: Swissinfo
t3n.de wikipedia: T3n
tagesschau.de wikipedia: Tagesschau (German TV programme)
tagesspiegel.de wikipedia: Der Tagesspiegel
taz.de wikipedia: Die Tageszeitung
telegraaf.nl wikipedia: De Telegraaf
terra.com.br wikipedia: Terra (company)
theage.com.au wikipedia: The Age
theaustralian.com.au wikipedia: The Australian
thegate.ca site: arts and entertainment magazine
thestar.com.my wikipedia: The Star (Malaysia)
uol.com.br wikipedia: Universo Online
vg.no wikipedia: Verdens Gang
volkskrant.nl wikipedia: De Volkskrant
vrt.be wikipedia: VRT (broadcaster)
welt.de wikipedia: Die Welt
wiwo.de wikipedia: WirtschaftsWoche
wp.pl wikipedia: Wirtualna Polska
yle.fi wikipedia: Yle
yna.co.kr wikipedia: Yonhap News Agency
yomiuri.co.jp wikipedia: Yomiuri Shimbun
zdf.de wikipedia: ZDF
zeit.de wikipedia: Die Zeit
`;
