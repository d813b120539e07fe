import { paymentCurrenciesIn } from '#ledger';
import type { Content } from './schema.js';

/**
 * What the public site says until an operator says otherwise. It claims nothing that Lode itself does not do: what only
 * the operator can know (people, places, numbers, names of others) is empty, and hidden, until the operator fills it in.
 */
export const defaultContent: Content = {
  company: { name: 'Lode', since: null },
  hero: {
    title: 'Invest in Bitcoin Mining',
    bullets: ['Bitcoin Mining Investing', 'Bitcoin Trading', 'Bitcoin Investment'],
    button: 'Start Here',
    images: [],
  },
  whatIsMining: {
    title: 'What is Bitcoin Mining?',
    text:
      'Bitcoin has no bank that keeps its books. Computers all over the world collect payments into blocks and compete to ' +
      'add the next one. Whoever does is paid by the network in new bitcoin and fees. That work is called mining. A cloud ' +
      'mining plan is a way to take part without machines of your own.',
    button: 'Get Started',
  },
  ease: {
    title: 'Start Mining Bitcoin with Ease',
    text:
      'You need no hardware and no technical knowledge: an account, a plan and a first deposit. Your dashboard shows every ' +
      'movement of your wallet and the record behind it.',
    link: 'See how it works',
  },
  steps: {
    title: 'Get Started in 3 Easy Steps',
    text: '',
    items: [
      { title: 'Sign Up', text: 'Register with your name, e-mail and phone number.' },
      {
        title: 'Choose a Plan',
        text: 'Pick the plan that fits what you can afford to put in, pay it in and upload your proof of payment.',
      },
      {
        title: 'Start Earning',
        text: 'Once your deposit is confirmed, follow your wallet and any promotional bonus in your dashboard.',
      },
    ],
  },
  plans: {
    title: 'Choose Your Mining Plan',
    text: 'The plans differ in how much you put in.',
    items: [
      { name: 'Basic', minimum: '300', maximum: '1000', text: 'To get to know the platform.' },
      { name: 'Silver', minimum: '1000', maximum: '5000', text: 'For a regular investor.' },
      { name: 'Gold', minimum: '5000', maximum: '10000', text: 'For an experienced investor.' },
      { name: 'Diamond', minimum: '10000', maximum: null, text: 'For large amounts.' },
    ],
    note:
      'The bonus credited to a wallet is a promotion that the operator pays. It is not mining revenue, it is not ' +
      'guaranteed, and the operator can change or end it at any time.',
  },
  howMiningWorks: {
    title: 'How Bitcoin Mining Works',
    text: '',
    items: [
      { title: 'Payments are announced', text: 'Everyone who pays in bitcoin tells the network.' },
      { title: 'Miners gather them', text: 'Each miner checks the payments and puts them into a block.' },
      {
        title: 'They compete',
        text: 'Machines try numbers until one gives the block a fingerprint that the network accepts.',
      },
      {
        title: 'The block is added',
        text: 'The others check it, add it to the chain, and the miner who found it is paid.',
      },
    ],
  },
  whyMining: {
    title: 'Why is Mining Important?',
    text: '',
    items: [
      {
        title: 'It protects the record',
        text: 'To rewrite a payment, all the work since would have to be done again.',
      },
      {
        title: 'It issues new bitcoin',
        text: 'New coins come into being in blocks only, by a fixed schedule.',
      },
      {
        title: 'It needs no centre',
        text: 'Anyone may mine, and nobody decides alone which payments count.',
      },
    ],
  },
  heavyLifting: {
    title: 'We Do the Heavy Lifting',
    text: '',
    items: [
      { title: 'Cloud mining plans', text: 'You choose a plan; there is nothing to install.' },
      { title: 'Managed hardware', text: 'Machines, power and cooling are our concern, not yours.' },
      { title: 'Monitoring and support', text: 'Write to us from your dashboard and we answer.' },
      {
        title: 'A live dashboard',
        text: 'Balances change on your screen as they are booked, each with the reason why.',
      },
    ],
  },
  goldRush: {
    title: 'Join the Digital Gold Rush',
    text: 'Gold rushes made few people rich. Read the risk disclosure first, and ask us whatever it leaves open.',
    start: 'Start Mining Today',
    more: 'Contact Us for More Info',
  },
  // Pieces of our own, which say that they are.
  gallery: {
    title: 'Behind the Scenes',
    items: [
      {
        kind: 'video',
        source: '/image/strata.mp4',
        poster: '/image/strata.webp',
        alt: 'Illustration: layers of rock with one vein',
      },
      {
        kind: 'video',
        source: '/image/blocks.mp4',
        poster: '/image/blocks.webp',
        alt: 'Illustration: machines at work',
      },
      { kind: 'image', source: '/image/core.webp', alt: 'Illustration: a drill core, cut through' },
      { kind: 'image', source: '/image/seam.webp', alt: 'Illustration: a seam from the side' },
    ],
  },
  whoWeAre: {
    title: 'Who We Are',
    text:
      'We run a platform on which customers invest in cloud mining plans. Our books are kept in a ledger that cannot be ' +
      'rewritten unnoticed: every balance is the sum of recorded movements, and you can look at each of yours.',
  },
  whatWeOffer: {
    title: 'What We Offer',
    text: '',
    items: [
      { title: 'Mining plans', text: 'Plans by the amount that you put in.' },
      { title: 'A wallet', text: `US dollars, with balances in ${paymentCurrenciesIn('and')}.` },
      { title: 'Funding', text: 'Pay in and hand in your proof; an admin confirms it.' },
      {
        title: 'Withdrawals and transfers',
        text: 'Ask for a payout, or send to another customer or a bank.',
      },
      { title: 'Support', text: 'A form in your dashboard that reaches us directly.' },
    ],
  },
  whyChoose: {
    title: 'Why Choose Us',
    text: '',
    items: [
      {
        title: 'Every balance explained',
        text: 'Ask why a balance is what it is, and see the records that made it.',
      },
      { title: 'Nothing looks spendable that is not', text: 'What an open request holds is shown as held.' },
      { title: 'Decisions are on record', text: 'Who confirmed or refused a request, when and why, stays.' },
      { title: 'Your data is yours', text: 'Personal data is encrypted and can be erased for good.' },
    ],
  },
  team: { title: 'Our Team', items: [] },
  testimonials: { title: 'What Our Customers Say', items: [] },
  contact: {
    title: 'Contact Us',
    text: 'Call, write or send us a message.',
    formTitle: 'Get In Touch',
  },
  footer: { tagline: 'Cloud mining plans with books that you can check.' },
  widget: {
    title: 'BTC Widget App',
    text: 'The prices that this platform books at, on any page of yours.',
    ltcPrice: null,
  },
  social: { linkedin: null, twitter: null, instagram: null, facebook: null },
  links: { services: null, portfolio: null },
  fees: { title: 'Fees', text: '' },
  terms: { title: 'Terms', text: '' },
  privacy: { title: 'Privacy', text: '' },
  mails: {
    resetPassword: {
      subject: 'Set a new password',
      text:
        'By this link you set a password for your account. It is good once and until the time below. All your sessions end then.' +
        '\n\nIf you neither asked for it nor had an account opened for you, do nothing: nothing changes.',
      button: 'Set a new password',
    },
    verifyEmail: {
      subject: 'Verify your e-mail address',
      text:
        'Somebody opened an account with this e-mail address. If it was you, open this link and press the button, ' +
        'before the time below.\n\nIf it was not you, do nothing.',
      button: 'Verify e-mail address',
    },
    changeEmail: {
      subject: 'Confirm your new e-mail address',
      text:
        'Somebody asked to use this e-mail address for an account. If it was you, open this link and press the button, before ' +
        'the time below. You sign in by this address from then on.\n\nIf it was not you, do nothing.',
      button: 'Use this e-mail address',
    },
    emailTaken: {
      subject: 'This e-mail address has an account already',
      text:
        'Somebody asked to use this e-mail address for an account, and another account has it already. Nothing was changed. If ' +
        'it was you, sign in to the account that has it, or choose another address.',
    },
    emailChangeAsked: {
      subject: 'Another e-mail address was asked for',
      text:
        'Somebody who is signed in to your account asked for another e-mail address. It is changed once the link that was ' +
        'sent there is used. If it was not you, set a new password at once, which makes that link worthless, and tell us.',
    },
    emailChanged: {
      subject: 'Your e-mail address was changed',
      text:
        'Your account has another e-mail address, by which you sign in from now on. What concerns the safety of your account ' +
        'is told the address of before, too, for seven days. If it was not you who changed it, tell us at once.',
    },
    newNetwork: {
      subject: 'Somebody signed in from a new network',
      text:
        'Somebody signed in to your account from a network where you had not signed in before. If it was not you, set a new ' +
        'password at once, which ends all sessions, and tell us.',
    },
    codeRefused: {
      subject: 'Somebody has your password and showed a wrong code',
      text:
        'Somebody entered your password, and then a wrong code of your second factor. If it was not you, set a new password at ' +
        'once, and tell us. You are told once a day at most.',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      text: 'Your account has a new password. If it was not you who set it, ask for a new one at once, and tell us.',
    },
    addressChanged: {
      subject: 'Your wallet address was changed',
      text: 'Withdrawals from your account go to another address. If it was not you who set it, tell us at once.',
    },
    addressCanceled: {
      subject: 'A change of your wallet address was canceled',
      text:
        'The wallet address that was waiting is not used: withdrawals from your account go where they went before. If it was ' +
        'not you who canceled it, set a new password at once, and tell us.',
    },
    secondFactorChanged: {
      subject: 'Your second factor was changed',
      text:
        'The second factor of your account was changed, or a recovery code was used in its place. If it was not you, set a ' +
        'new password at once, and tell us.',
    },
    requestConfirmed: {
      subject: 'Your request was confirmed',
      text: 'A request of yours was confirmed. You find it in your account.',
    },
    requestRejected: {
      subject: 'Your request was rejected',
      text: 'A request of yours was rejected. You find it in your account.',
    },
    platformChanged: {
      subject: 'Something that holds for all was changed',
      text:
        'An admin changed what holds for everybody, or for an admin. Every owner is told. If nobody of you meant it, look at it ' +
        'in the back office at once, under Activity and in the history of the setting.',
    },
    changeAsked: {
      subject: 'A change waits for another admin',
      text:
        'An admin asked for a change that takes a second admin. Nothing was changed yet. Every owner is told. You find it in the ' +
        'back office under Approvals, where another admin approves or rejects it.',
    },
    accountClosed: {
      subject: 'Your account is closed',
      text:
        'Your account was closed for ever, as was asked for in it with its password or a passkey. It had no money, and what ' +
        'we kept about you can’t be read any more. This is the last mail that you get.\n\nIf it was not you, tell us at once.',
    },
  },
  riskDisclosure: {
    title: 'Risk disclosure',
    text:
      'Investing in mining and in crypto-assets is risky. You can lose all the money that you put in. Prices move sharply ' +
      'and mining can cost more than it earns. Balances here are not bank deposits and no deposit guarantee covers them. ' +
      'Bonuses are promotions that the operator pays from its own funds: they are not a return on an investment and can ' +
      'change or end at any time. Requests are decided by the operator. Nothing on this site is advice: invest only what ' +
      'you can afford to lose, and ask an independent adviser when in doubt.',
  },
};
