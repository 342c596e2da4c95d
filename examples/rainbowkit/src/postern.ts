import { createPostern } from '@postern/client'

/** Before wagmi's configuration: RainbowKit then lists Postern among the installed wallets. */
export const postern = createPostern({
  projectId: 'dev',
  host: 'http://127.0.0.1:4400',
  networks: ['ethereum', 'base'],
})
