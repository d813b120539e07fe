export { ContactCard } from './contact-card';
export { MessageForm } from './message-form';
