import { comparePositions, parsePosition, type AccountView, type NotificationView } from '#contracts';

/** Whether a notification came after what its owner has read. */
export function isUnread({ position }: NotificationView, read: AccountView['notificationsRead']): boolean {
  const [place, upTo] = [parsePosition(position), read === null ? undefined : parsePosition(read)];
  return place !== undefined && (upTo === undefined || comparePositions(place, upTo) > 0);
}
