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
declare const walletConnectProjectId: string
declare const endpoint: string
declare const rpcUrl: string
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

// Packages that a dapp installs. Those below bring hundreds of others, so they are not development dependencies: here is
// what the blocks use of them. `examples` has tested apps of Angular and Next.
declare module 'next/headers' {
  export function cookies(): Promise<{ toString(): string }>
}
declare module 'next-auth' {
  export default function NextAuth(options: {
    session: { strategy: 'jwt' }
    providers: object[]
  }): (request: Request) => Promise<Response>
}
declare module 'next-auth/providers/credentials' {
  export default function Credentials(provider: {
    id: string
    credentials: object
    authorize(
      credentials: object | undefined,
      request: { headers?: HeadersInit },
    ): Promise<{ id: string; name: string } | null>
  }): object
}
declare module 'next-auth/react' {
  type Options = { redirect: false }
  export function signIn(provider: string, options: Options): Promise<unknown>
  export function signOut(options: Options): Promise<unknown>
}
declare module 'iron-session' {
  export function getIronSession<T extends object>(
    cookies: object,
    options: { cookieName: string; password: string },
  ): Promise<T & { save(): Promise<void>; destroy(): void }>
}
declare module 'better-auth' {
  export function betterAuth(options: { plugins: object[] }): object
}
declare module 'better-auth/plugins' {
  export function siwe(options: {
    domain: string
    getNonce(): Promise<string>
    verifyMessage(signed: { message: string; signature: string; address: string; chainId: number }): Promise<boolean>
  }): object
}
declare module 'better-auth/client' {
  type Answer<T> = Promise<{ data: T; error: null } | { data: null; error: { message?: string } }>
  export function createAuthClient(options: { plugins: object[] }): {
    signOut(): Promise<unknown>
    siwe: {
      nonce(): Answer<{ nonce: string }>
      verify(signed: { message: string; signature: string }): Answer<unknown>
    }
  }
}
declare module 'better-auth/client/plugins' {
  export function siweClient(): object
}
declare module '@angular/core' {
  type Type<T> = new (...args: never[]) => T
  type Decorator = <T extends Type<object>>(type: T) => T
  type Signal<T> = () => T
  export function Injectable(options: { providedIn: 'root' }): Decorator
  export function Component(options: { selector: string; template: string }): Decorator
  export function signal<T>(initial: T): Signal<T> & { set(value: T): void }
  export function computed<T>(read: () => T): Signal<T>
  export function inject<T>(type: Type<T>): T
}

// What a dapp moves away from: only the syntax of their blocks is checked.
declare module '@reown/appkit/*'
declare module '@reown/appkit-adapter-wagmi'
declare module '@privy-io/react-auth'
declare module '@solana/wallet-adapter-react-ui'
declare module '@web3-onboard/walletconnect'

declare module '*.vue' {
  const component: object
  export default component
}

declare module '@base-org/account' {
  export const createBaseAccountSDK: Awaited<
    ReturnType<import('@postern/client/connectors').ImportBaseAccount>
  >['createBaseAccountSDK']
}
declare module 'company-signer' {
  export const provider: import('@postern/client').ExternalProvider
}
