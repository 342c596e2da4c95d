/**
 * Starts a worker of this build. The wallet's pages demand trusted types (`require-trusted-types-for 'script'; trusted-types postern-worker`), and the one
 * policy that they allow makes nothing but addresses of the page's own scripts.
 */
/** As much of the platform's interface as is used; TypeScript's DOM has none of it yet. A trusted address is an object that `Worker` takes as one. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

export const workerPolicyName = 'postern-worker'

/** A name can be given to one policy only, so it is made once a page. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function trusted(address: string): string {
  policy ??= window.trustedTypes?.createPolicy(workerPolicyName, { createScriptURL: ownScript })
  return policy === undefined ? ownScript(address) : policy.createScriptURL(address)
}

/** Throws for everything that is not of this origin. */
function ownScript(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin !== location.origin) throw new TypeError('The script is not of this origin')
  return url.href
}

/** `address`: what Vite's `?worker&url` gives. */
export function startWorker(address: string, name: string): Worker {
  return new Worker(trusted(address), { type: 'module', name })
}
