export const deviceStatuses = ['pending', 'approved', 'denied', 'completed'] as const;
