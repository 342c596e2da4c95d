import { perHost } from '../loading/per-host'

export const deviceRemovalOf = perHost((): { deviceId: string | null } => ({ deviceId: null }))
