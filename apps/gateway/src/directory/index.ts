export { createDirectory, type Directory, type DirectoryData, type WalletPage } from './directory'
export { loadDirectory } from './load'
export { directoryRoutes } from './routes'
