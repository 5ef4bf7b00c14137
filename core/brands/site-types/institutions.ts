/** Authorities, universities, publishers of research, and non-profit institutions that publish facts, outside the domains of governments. */
export const INSTITUTIONS = `
511.org wikipedia: 511 (transportation information)
aap.org wikipedia: American Academy of Pediatrics
aclanthology.org wikipedia: ACL Anthology
acm.org wikipedia: Association for Computing Machinery
acs.org wikipedia: American Chemical Society
ada.org wikipedia: American Dental Association
admin.ch wikipedia: Federal administration of Switzerland
apa.org wikipedia: American Psychological Association
aps.org wikipedia: American Physical Society
arxiv.org wikipedia: ArXiv
biomedcentral.com wikipedia: BioMed Central
biorxiv.org wikipedia: BioRxiv
bmj.com wikipedia: The BMJ
bund.de wikipedia: Federal Government of Germany
cambridge.org wikipedia: Cambridge University Press
canada.ca wikipedia: Canada.ca
cancer.org wikipedia: American Cancer Society
cell.com wikipedia: Cell (journal)
cern.ch wikipedia: CERN
clevelandclinic.org wikipedia: Cleveland Clinic
cnrs.fr wikipedia: French National Centre for Scientific Research
cochrane.org wikipedia: Cochrane (organisation)
dblp.org wikipedia: DBLP
destatis.de wikipedia: Federal Statistical Office of Germany
diabetes.org wikipedia: American Diabetes Association
ebsco.com wikipedia: EBSCO Information Services
eff.org wikipedia: Electronic Frontier Foundation
elsevier.com wikipedia: Elsevier
epfl.ch wikipedia: École Polytechnique Fédérale de Lausanne
ethz.ch wikipedia: ETH Zurich
euroncap.com wikipedia: Euro NCAP
europa.eu wikipedia: European Union
fraunhofer.de wikipedia: Fraunhofer Society
frontiersin.org wikipedia: Frontiers Media
gc.ca wikipedia: Government of Canada
heart.org wikipedia: American Heart Association
home.cern wikipedia: CERN
hopkinsmedicine.org wikipedia: Johns Hopkins Hospital
iea.org wikipedia: International Energy Agency
ieee.org wikipedia: IEEE
ietf.org wikipedia: Internet Engineering Task Force
iihs.org wikipedia: Insurance Institute for Highway Safety
ilo.org wikipedia: International Labour Organization
imf.org wikipedia: International Monetary Fund
inria.fr wikipedia: French Institute for Research in Computer Science and Automation
insee.fr wikipedia: Institut national de la statistique et des études économiques
inserm.fr wikipedia: Inserm
iso.org wikipedia: International Organization for Standardization
jamanetwork.com wikipedia: JAMA
jstor.org wikipedia: JSTOR
kpi.ua wikipedia: Igor Sikorsky Kyiv Polytechnic Institute
mayoclinic.org wikipedia: Mayo Clinic
mdpi.com wikipedia: MDPI
medrxiv.org wikipedia: MedRxiv
mpg.de wikipedia: Max Planck Society
nature.com wikipedia: Nature (journal)
nejm.org wikipedia: The New England Journal of Medicine
nhs.uk wikipedia: National Health Service
oecd.org wikipedia: OECD
openreview.net site: peer review of research papers
oup.com wikipedia: Oxford University Press
paris.fr wikipedia: City of Paris
parliament.uk wikipedia: Parliament of the United Kingdom
pewresearch.org wikipedia: Pew Research Center
plos.org wikipedia: PLOS
pnas.org wikipedia: Proceedings of the National Academy of Sciences of the United States of America
rand.org wikipedia: RAND Corporation
redcross.org wikipedia: American Red Cross
researchgate.net wikipedia: ResearchGate
rki.de wikipedia: Robert Koch Institute
rsc.org wikipedia: Royal Society of Chemistry
sagepub.com wikipedia: Sage Publishing
scholar.google.com wikipedia: Google Scholar
science.org wikipedia: Science (journal)
sciencedirect.com wikipedia: ScienceDirect
semanticscholar.org wikipedia: Semantic Scholar
service-public.fr wikipedia: Service-Public.fr
springer.com wikipedia: Springer Science+Business Media
ssrn.com wikipedia: Social Science Research Network
stlouisfed.org wikipedia: Federal Reserve Bank of St. Louis
tandfonline.com wikipedia: Taylor & Francis
thelancet.com wikipedia: The Lancet
theseus.fi site: theses of Finnish universities of applied sciences
tum.de wikipedia: Technical University of Munich
un.org wikipedia: United Nations
unesco.org wikipedia: UNESCO
unicef.org wikipedia: UNICEF
unipi.gr wikipedia: University of Piraeus
verbraucherzentrale.de wikipedia: Verbraucherzentrale
w3.org wikipedia: World Wide Web Consortium
weforum.org wikipedia: World Economic Forum
who.int wikipedia: World Health Organization
wiley.com wikipedia: Wiley (publisher)
worldbank.org wikipedia: World Bank
wto.org wikipedia: World Trade Organization
zenodo.org wikipedia: Zenodo
`;
