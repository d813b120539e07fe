import { lazy } from 'react';

export { SignInForm } from './sign-in-form';
export const SignInAgain = lazy(() => import('./sign-in-again'));
