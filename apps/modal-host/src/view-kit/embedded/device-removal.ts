import { perHost } from '../per-host'

export const deviceRemovalOf = perHost((): { deviceId: string | null } => ({ deviceId: null }))
