import { Menu } from '@mantine/core';
import LogOut from 'lucide-react/icons/log-out';
import type { ComponentProps } from 'react';
import { MenuButton } from '../../ui';
import { AvatarFace } from './avatar-face';
import { useLogout } from './use-logout';
import styles from './top-bar.module.css';

/** What a person can do about being signed in. */
export function AvatarMenu({ user, image = null }: ComponentProps<typeof AvatarFace>) {
  const logout = useLogout();
  return (
    <MenuButton
      label={`Account of ${user.firstname}`}
      trigger={<AvatarFace user={user} image={image} />}
      className={styles.avatar}
      align="end"
      openAtOnce
    >
      <Menu.Label className={styles.who}>
        {user.firstname}
        <span className="soft">{user.role === 'admin' ? 'Admin' : 'Customer'}</span>
      </Menu.Label>
      <Menu.Item leftSection={<LogOut className="icon small" />} onClick={logout} data-autofocus>
        Logout
      </Menu.Item>
    </MenuButton>
  );
}
