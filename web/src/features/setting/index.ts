export { changesOf, settingName, tierWords, type SettingChange, type SettingItem } from './changes';
export { SettingHistory } from './setting-history';
export { useHistory } from './use-history';
export { LastChange, WithSettings } from './with-settings';
