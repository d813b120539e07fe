// What anybody sees.
import { api, content, journey, pages, part, served, site, wallet, withoutScripts } from './tests.mjs';

const landing = { screen: '/' };
const read = (path) => site(`${path} can be read by everybody`);
const SECTIONS = site('the landing page has its sections in their order, and leads where it says');
const ORDER = pages('the landing page has its sections in their order and words');
const LINKS = pages('its links lead where they should');
const HEADER = site('the links of the header lead to every page, and the menu closes behind them');
const ARROWS = site(
  'the slides go by arrows that are hidden at the ends, and not by themselves for who wants no motion',
);
const ADVANCE = site(
  'the slides go on every two minutes to the last and stay there, unless they are stopped',
);
const FORMS = site('sign-in and registration refuse in their own words, and take what is right');
const CONTACT = site('the contact form refuses what is missing, sends the rest and says so for five seconds');
const REACHED = pages(
  'the contact page says how the operator is reached, and the footer what the operator links to',
);
const ABOUT = pages('the page about the operator has the sections of the other home page');

const pagesOf = part('Pages', [
  ['/ is the landing page', [read('/')], landing],
  ['/who-we-are says who the operator is', [read('/who-we-are'), ABOUT], { screen: '/who-we-are' }],
  ['/Contact-us has the head office and a form', [read('/Contact-us'), CONTACT], { screen: '/Contact-us' }],
  ['/login takes an e-mail address and a password', [read('/login'), FORMS], { screen: '/login' }],
  ['/register makes a customer', [journey('* a customer registers and signs in')], { screen: '/register' }],
  [
    '/auth/register makes an admin, with an invitation alone',
    [
      journey('* the link makes the first admin'),
      api('access/sessions', 'with one invitation eight times at once makes one admin'),
    ],
    { screen: '/auth/register', adr: 45 },
  ],
  [
    '/products and /products/:name show what is offered',
    [
      served('of products is there, linked and listed while there is one'),
      pages('has a page of its own name with the risk disclosure, and pictures of this origin'),
      site('products and what the operator writes can be read by everybody, once they are there'),
    ],
    { screen: '/products' },
  ],
  [
    'an address that is no page says "Unexpected Application Error!" and what it is',
    [journey('* an address that does not exist has its own screen')],
    { screen: '/auth/nothing-here' },
  ],
]);

const navigation = part('Navigation', [
  ['a bar with a logo to /, Home, About Us, Contact Us and Login', [HEADER], landing],
  ['on small screens a button opens and closes the links', [HEADER], landing],
  ['choosing a link closes them', [HEADER], { screen: '/Contact-us' }],
]);

const landingPage = part('Landing page', [
  ['its sections stand in order', [SECTIONS, ORDER], landing],
  ['three slides with arrows, the first without "previous" and the last without "next"', [ARROWS], landing],
  ['a slide goes on every 120000 ms until the last, and never around', [ADVANCE], landing],
  ['"Invest in Bitcoin Mining" with its three bullets', [SECTIONS], landing],
  ['"Start Here" leads to /login', [SECTIONS, LINKS], landing],
  ['"What is Bitcoin Mining?" with "Get Started"', [SECTIONS, LINKS], landing],
  ['"Start Mining Bitcoin with Ease" with a link to the steps', [HEADER, LINKS], landing],
  ['"Get Started in 3 Easy Steps": Sign Up, Choose a Plan, Start Earning', [read('/'), ORDER], landing],
  ['"Choose Your Mining Plan" with four plans', [read('/'), ORDER, LINKS], landing],
  ['"How Bitcoin Mining Works" in four steps', [read('/'), ORDER], landing],
  ['"Why is Mining Important?" in three points', [read('/'), ORDER], landing],
  ['the heavy lifting in four features', [read('/'), ORDER], landing],
  [
    '"Join the Digital Gold Rush" with "Start Mining Today" and "Contact Us for More Info" to /Contact-us',
    [SECTIONS, LINKS],
    landing,
  ],
  [
    '"Behind the Scenes": two films and two pictures, which say that they are illustrations',
    [
      site('the films of the gallery are small, are sent in parts, and play'),
      pages('the gallery shows pieces that say what they are, and films only when they are played'),
    ],
    landing,
  ],
  ['a footer with the logo to / and the tagline', [SECTIONS, REACHED], landing],
  [
    'a footer with the links Home, About, Services, Portfolio and Contact; those that are unset are not there',
    [SECTIONS, REACHED],
    landing,
  ],
  [
    'a footer with LinkedIn, Twitter, Instagram and Facebook, once they are set',
    [SECTIONS, REACHED],
    landing,
  ],
  ['a footer with the "BTC Widget App"', [SECTIONS], landing],
  [
    'the plans that are shown are the four of the specification',
    [content('has the plans of the specification')],
  ],
]);

const about = part('Who we are', [
  [
    'who we are, what we offer in five items, why choose in four, three steps, four plans and counters',
    [read('/who-we-are'), ABOUT],
    { screen: '/who-we-are' },
  ],
  [
    'counters are hidden below their floors, and no figure stands in the page as it is sent',
    [
      site('an empty ledger has no digit in the place of any figure'),
      pages('no page as it is sent has anything in the place of a figure'),
    ],
    { screen: '/who-we-are' },
  ],
  [
    'no team and no testimonials but those that the operator has',
    [content('claims by default nobody and nothing that only an operator can know')],
  ],
]);

const contact = part('Contact', [
  [
    'address, e-mail and phone are those that an admin set',
    [
      read('/Contact-us'),
      REACHED,
      api('settings/settings', 'contact and deposit addresses are what was given last, each by itself'),
    ],
    { screen: '/Contact-us' },
  ],
  [
    '"Get In Touch" sends a message',
    [CONTACT, api('messages/messages', 'of a visitor is sent, and listed with what they wrote')],
    { screen: '/Contact-us' },
  ],
]);

const beyond = part('Site', [
  [
    '/widget shows the prices of BTC and LTC that were set, on anybody’s page',
    [site('a price that an admin sets is shown with when that was, also within somebody else’s page')],
    { screen: '/widget' },
  ],
  [
    '/risk has the risk disclosure, and every page that invites has it',
    [read('/risk'), pages('every page that invites somebody has the risk disclosure')],
    { screen: '/risk' },
  ],
  [
    '/status says in words how well it answers',
    [read('/status'), pages('the status is said in words, and is not to be found')],
    { screen: '/status' },
  ],
  [
    'static media are under /image/, in parts, and 404 when unknown',
    [site('the films of the gallery are small, are sent in parts, and play')],
    landing,
  ],
  [
    'a form is shut while its script is not there',
    [withoutScripts('a form whose script does not load is disabled, and Enter sends nothing')],
  ],
  [
    'whoever signs out sees the public page',
    [wallet('whoever signs out is on the public page, and has to sign in again')],
    landing,
  ],
  [
    'the operator’s texts are the page’s',
    [
      served('is the same bytes under the same tag until its content changes'),
      api('settings/settings', 'sections of the site are replaced, and come back when they are null'),
    ],
  ],
]);

export const publicScreens = [...pagesOf, ...navigation, ...landingPage, ...about, ...contact, ...beyond];
