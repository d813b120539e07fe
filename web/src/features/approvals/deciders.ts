import { mayDo, type AdminList } from '#contracts';

type Admin = AdminList['admins'][number];

/** The admins who may decide on money now. */
export function decidersIn(admins: readonly Admin[]): readonly Admin[] {
  return admins.filter(({ duty, status }) => status === 'active' && mayDo(duty, 'decide on money'));
}
