/** Available before the others load. */
export const refusalFixes = {
  ORIGIN_NOT_ALLOWED: 'Add the page’s origin to the project’s allowed origins.',
  INVALID_REQUEST: 'Send an object with `method` and `params`.',
  VERSION_MISMATCH: 'Update `@postern/client` and your gateway.',
} as const
