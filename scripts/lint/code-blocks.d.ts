/** What the code blocks of the documentation use without declaring it: what the reader has already. */

// The packages' own functions, where a block shows one call.
declare const postern: import('@postern/client').Postern
declare const createPostern: typeof import('@postern/client').createPostern
declare const createSiwx: typeof import('@postern/siwx').createSiwx
declare const serverSessions: typeof import('@postern/siwx').serverSessions
declare const localSessions: typeof import('@postern/siwx').localSessions
declare const verifySignIn: typeof import('@postern/siwx/server').verifySignIn
declare const requireSession: typeof import('@postern/siwx/server').requireSession
declare const eip155Verifier: typeof import('@postern/siwx/verifiers').eip155Verifier

// Of the dapp's page.
declare const projectId: string
declare const host: string
declare const networks: import('@postern/client').PosternOptions['networks']
declare const siwx: import('@postern/siwx').SiwxInPage
declare const provider: import('@postern/client').Eip1193Provider
declare const button: HTMLButtonElement
declare function render(...state: unknown[]): void

// Of a transaction or a message.
declare const from: `0x${string}`
declare const to: `0x${string}`
declare const value: `0x${string}`
declare const address: string
declare const recipientAddress: string
/** Of a Solana transaction, as it is on the wire. */
declare const transactionBytes: Uint8Array
/** As a Solana library has it. */
declare const transaction: { serialize(): Uint8Array }
declare const base64: string
declare const message: string
declare const signature: string

// Of the dapp's server.
declare const site: string
declare const nonce: string
declare const key: Parameters<typeof import('@postern/siwx/server').keysFromJwks>[0][number]
declare const token: string
declare const request: Request
declare const { proofs, verifiers }: import('@postern/siwx/server').Recheck
declare const cookie: object
declare const sessions: import('@postern/siwx/server').Sessions
declare const db: { takeNonce(nonce: string): Promise<boolean> }

// What Nuxt imports on its own.
declare function defineNuxtPlugin(
  plugin: (nuxt: {
    readonly vueApp: Parameters<typeof import('@postern/client/vue')['posternPlugin']['install']>[0]
  }) => void,
): unknown
declare function useRequestHeaders(names: string[]): Record<string, string | undefined>
interface ImportMeta {
  readonly server: boolean
}

// Of Next, and of the block before.
declare module 'next/headers' {
  export function cookies(): Promise<{ toString(): string }>
}
declare module '*/Providers' {
  type Provider = typeof import('@postern/client/react').PosternProvider
  export function Providers(props: Pick<Parameters<Provider>[0], 'children' | 'initialState'>): ReturnType<Provider>
}

declare module '*.vue' {
  const component: object
  export default component
}

// Packages that a dapp installs.
declare module '@base-org/account' {
  export const createBaseAccountSDK: Awaited<
    ReturnType<import('@postern/client/connectors').ImportBaseAccount>
  >['createBaseAccountSDK']
}
declare module 'company-signer' {
  export const provider: import('@postern/client').ExternalProvider
}
