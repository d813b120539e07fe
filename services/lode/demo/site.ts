import type { ContentBody, DepositDetailsBody } from '#contracts';

/** What the operator of the demonstration set: before anybody registered, unless it says how many days ago. Prices of yesterday wait for a second admin. */
export const demoPrices = [
  { ago: 119, prices: { BTC: '61250', PI: '0.32', USDT: '1' }, reason: 'First prices' },
  { ago: 64, prices: { BTC: '68400', PI: '0.29' }, reason: 'Prices of the quarter' },
  { ago: 13, prices: { BTC: '71950.25', PI: '0.35' }, reason: 'Prices of the month' },
  { ago: 1, prices: { BTC: '72480', PI: '0.34' }, reason: 'The market moved' },
] as const;
export const DEMO_RATE = '0.925';
export const demoBonusPolicy = {
  rate: '0.01',
  windowDays: 7,
  everyHours: 7,
  capDays: 7,
  currency: 'USDT',
} as const;

export const demoDetails: DepositDetailsBody = {
  phoneNumber: '+44 20 7946 0100',
  email: 'help@lode.example',
  contactAddress: '8 Assay House, Garnet Lane\nLondon EC4N 8AF',
  btcWallet: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ethWallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  piWallet: 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
  reason: 'Where we are, and where to pay to',
};

export const demoContent: ContentBody['content'] = {
  widget: {
    title: 'BTC Widget App',
    text: 'The prices that this platform books at, on any page of yours.',
    ltcPrice: '92.40',
  },
  fees: {
    title: 'Fees',
    text:
      'Funding: free. What arrives at our address is what is booked.\n\n' +
      'Withdrawals: free. The fee of the network is taken off what is sent, and differs from day to day.\n\n' +
      'Transfers to another customer: free. Transfers to a bank: what the bank takes, told before anything is sent.\n\n' +
      'No withdrawal ever asks you for a payment first.',
  },
  terms: {
    title: 'Terms',
    text:
      'An account is for one person of age, who registers with their own name and keeps their password to themselves.\n\n' +
      'Every request is decided by a person, usually within a working day. Until then its amount is on hold, and what is on ' +
      'hold can neither be withdrawn nor sent.\n\n' +
      'The promotional bonus is paid by the operator from its own funds. It is no return on an investment, and the operator ' +
      'can change or end it at any time.\n\n' +
      'You can have your account closed and your personal data erased. What was booked stays booked.',
  },
  privacy: {
    title: 'Privacy',
    text:
      'We keep your name, your e-mail address, your phone number and what you hand in as proof. All of it is encrypted with ' +
      'a key of your own, and is erased when that key is.\n\n' +
      'We use it to decide your requests and to answer you, and give it to nobody else unless the law asks us to.\n\n' +
      'This site loads nothing from others, and counts nobody.',
  },
};

/** What visitors wrote by the form of the site. */
export const demoMessages = [
  {
    ago: 52,
    name: 'Priya Raman',
    email: 'priya@example.org',
    phone: '+91 80 5550 0199',
    businessType: 'Accounting',
    subject: 'Statements',
    message: 'Do your customers get statements with an opening and a closing balance?',
    isRead: true,
  },
  {
    ago: 2,
    name: 'Luc Fournier',
    email: 'luc@example.org',
    phone: '+33 1 55 50 01 44',
    businessType: 'Bakery',
    subject: 'Opening an account',
    message: 'Can a company have an account, or people only?',
    isRead: false,
  },
] as const;

/** What is offered; `colour` is that of its picture. */
export const demoProducts = [
  {
    ago: 100,
    productName: 'Rack slot',
    amount: '249.99',
    title: 'A slot in a shared rack',
    subtitle: 'Power and cooling included',
    description:
      'Room for one machine of yours in a rack that is shared, with power, cooling and somebody who looks after it. Billed once, for a year.',
    colour: '#8a4b21',
  },
  {
    ago: 72,
    productName: 'Heat meter',
    amount: '89.00',
    title: 'A meter for the heat that comes back',
    subtitle: 'For the return pipe',
    description:
      'Measures how much of the heat of a machine is used a second time, and tells it by the hour.',
    colour: '#3d5a6c',
  },
  {
    ago: 25,
    productName: 'Quiet fan',
    amount: '34.50',
    title: 'A fan that can stand in an office',
    subtitle: 'Twelve centimetres, 18 dB',
    description: 'Replaces the fan of the older machines. Four screws, and no tool but a screwdriver.',
    colour: '#5b6b3a',
  },
] as const;
