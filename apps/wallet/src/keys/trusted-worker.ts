/**
 * The wallet's pages require trusted types (`require-trusted-types-for 'script'; trusted-types postern-worker`). The
 * policy accepts only URLs of this origin.
 */
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

const workerPolicyName = 'postern-worker'

/** A policy name works once per page. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function trusted(address: string): string {
  policy ??= window.trustedTypes?.createPolicy(workerPolicyName, { createScriptURL: ownScript })
  return policy === undefined ? ownScript(address) : policy.createScriptURL(address)
}

function ownScript(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin !== location.origin) throw new TypeError('The script is not of this origin')
  return url.href
}

export function startWorker(address: string, name: string): Worker {
  return new Worker(trusted(address), { type: 'module', name })
}
