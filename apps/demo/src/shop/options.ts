import type { PosternOptions } from '@postern/client'

/** Everything that Postern needs to know about this shop. */
export const options: PosternOptions = {
  projectId: 'demo',
  host: 'http://modal.postern.localhost:4400',
  networks: ['eip155:31337'],
  metadata: { name: 'The Side Door' },
  features: { pay: true },
}
