export * from './caip'
export * from './entities'
export * from './page-link'
