export { createPostern, version } from './create-postern'
export { PosternError, ProviderRpcError } from './errors'
export type * from './types'
