/**
 * Numbers in clusters around centroids, sorted by these. Up to `buffer` values are put together by their order alone; what comes later joins
 * the nearest cluster, or begins one of its own far from all others while there are fewer than `most`.
 */
export interface Cluster {
  /** Number of the cluster, which stays when others come before it. */
  readonly id: number;
  centroid: number;
  size: number;
  min: number;
  max: number;
}

export interface Clusters {
  /** @returns ticket with which `idOf` tells the value's cluster, once all values are there */
  add(value: number): number;
  idOf(ticket: number): number;
  list(): readonly Cluster[];
}

export function createClusters(options: { readonly buffer: number; readonly most: number }): Clusters {
  const buffered: number[] = [];
  /** Cluster of each value, once it is known. */
  const ids: number[] = [];
  let clusters: Cluster[] | undefined;
  let averageDistance = 0;

  const append = (value: number, at: number): Cluster => {
    const cluster = { id: clusters!.length, centroid: value, size: 1, min: value, max: value };
    clusters!.splice(at, 0, cluster);
    return cluster;
  };
  const join = (cluster: Cluster, value: number) => {
    cluster.size++;
    cluster.centroid = (cluster.centroid * (cluster.size - 1) + value) / cluster.size;
    cluster.min = Math.min(cluster.min, value);
    cluster.max = Math.max(cluster.max, value);
  };
  const measure = () => {
    const last = clusters!.length - 1;
    averageDistance = (clusters![last].centroid - clusters![0].centroid) / last;
  };
  const clusterBuffered = (): Cluster[] => {
    clusters = [];
    const order = Array.from(buffered.keys()).sort((a, b) => buffered[a] - buffered[b] || a - b);
    const perCluster = Math.ceil(order.length / Math.trunc((options.most * 3) / 4));
    for (const [place, ticket] of order.entries()) {
      const value = buffered[ticket];
      let cluster = clusters[clusters.length - 1];
      if (place % perCluster === 0) cluster = append(value, clusters.length);
      else join(cluster, value);
      ids[ticket] = cluster.id;
    }
    if (order.length > 1) measure();
    return clusters;
  };
  /** Adds a value to the clusters that are there. */
  const place = (value: number): number => {
    const at = nearest(clusters!, value);
    const found = clusters![at];
    if (Math.abs(found.centroid - value) > 2 * averageDistance && clusters!.length < options.most) {
      const cluster = append(value, value > found.centroid ? at + 1 : at);
      measure();
      return cluster.id;
    }
    join(found, value);
    if (at === 0 || at === clusters!.length - 1) measure();
    return found.id;
  };
  return {
    add(value) {
      if (clusters) return ids.push(place(value)) - 1;
      const ticket = buffered.push(value) - 1;
      if (buffered.length === options.buffer) clusterBuffered();
      return ticket;
    },
    idOf(ticket) {
      if (!clusters) clusterBuffered();
      return ids[ticket];
    },
    list: () => clusters ?? clusterBuffered(),
  };
}

/** The cluster whose centroid is nearest; of two, that which the search would look at next (BinarySearcher). */
function nearest(clusters: readonly Cluster[], value: number): number {
  const centroid = (at: number) => clusters[at].centroid;
  const closer = (here: number, next: number) =>
    Math.abs(centroid(here) - value) < Math.abs(centroid(next) - value) ? here : next;
  let low = 0;
  let high = clusters.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (centroid(middle) === value) return middle;
    if (centroid(middle) < value) {
      if (centroid(middle + 1) > value) return closer(middle, middle + 1);
      low = middle + 1;
    } else {
      if (middle === low) return low;
      if (centroid(middle - 1) < value) return closer(middle, middle - 1);
      high = middle - 1;
    }
  }
  return low;
}
