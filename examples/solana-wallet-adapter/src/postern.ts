import { createPostern } from '@postern/client'

/** Before the first render: wallet-adapter reads the registered wallets then. */
export const postern = createPostern({
  projectId: 'dev',
  host: 'http://127.0.0.1:4400',
  networks: ['solana'],
})
