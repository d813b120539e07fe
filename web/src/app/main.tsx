import './before';
import '../ui/base.css';
import { setupListeners } from '@reduxjs/toolkit/query';
import { createRoot } from 'react-dom/client';
import { makeStore } from '../api';
import { restoreDisplay } from '../lib';
import { App } from './app';
import { makeRouter } from './routes';

restoreDisplay();
const { store, session } = makeStore();
setupListeners(store.dispatch);
void session.restore();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the app.');
createRoot(root).render(<App store={store} session={session} router={makeRouter()} />);
