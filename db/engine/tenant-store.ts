import type { Store, Tenant, WriteOptions } from "./store.ts";

export interface TenantStore {
  organizationId: string;
  /** Empty outside any workspace. */
  workspaceId: string;
  read<T>(work: (tenant: Tenant) => Promise<T>): Promise<T>;
  write<T>(work: (tenant: Tenant) => Promise<T>, options?: WriteOptions): Promise<T>;
}

export function tenantStore(
  store: Store,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string },
): TenantStore {
  return {
    organizationId,
    workspaceId,
    read: (work) => store.read((db) => work({ db, organizationId, workspaceId })),
    write: (work, options) => store.write((db) => work({ db, organizationId, workspaceId }), options),
  };
}
