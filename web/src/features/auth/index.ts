import { lazy } from 'react';

export { RegisterForm } from './register-form';
export { SignInForm } from './sign-in-form';
export const SignInAgain = lazy(() => import('./sign-in-again'));
