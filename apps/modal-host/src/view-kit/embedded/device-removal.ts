import { perHost } from '../per-host'

/** The device that RemoveDevice is about. */
export const deviceRemovalOf = perHost((): { deviceId: string | null } => ({ deviceId: null }))
