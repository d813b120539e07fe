export { nameOfAgent } from './agent';
export { DisplayForm } from './display-form';
export { ImageForm } from './image-form';
export { PasswordForm } from './password-form';
export { ProfileForm } from './profile-form';
export { SecurityHistory } from './security-history';
export { Sessions } from './sessions';
export { ThemeChoice } from './theme-choice';
export { themeNames, useTheme, type Theme } from './use-theme';
